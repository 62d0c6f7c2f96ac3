import type { Result } from '../../../../shared/result.ts';
import { shortId } from '../../base/ids.ts';
import { stopProcesses, taskMark } from '../../exec/processes/processTree.ts';
import { type Hook, type HookEvent, projectHooks, readHooks } from '../../project/hookSettings.ts';
import { type ProgramOutcome, runProgram } from '../cliSpec/program.ts';
import { type HookAnswer, readAnswer } from './hookAnswer.ts';
import { isMatched } from './hookInput.ts';

/** What a hook is asked about. */
export interface HookQuestion {
  readonly event: HookEvent;
  /** What its matcher is compared with; the first is how the hook is told of it. */
  readonly names: readonly string[];
  /** What it reads beside the common facts. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly session: { readonly id: string; readonly mode: string };
}

export interface RanHook extends HookAnswer {
  readonly hook: Hook;
}

/** The commands of the person and of a trusted project that run beside what the agent does. */
export interface Hooks {
  /** Those that count now, and what cannot be obeyed. */
  list(): Promise<ListedHooks>;
  /** Runs those that are for this, side by side. Never throws. */
  run(question: HookQuestion, signal: AbortSignal): Promise<readonly RanHook[]>;
}

export interface ListedHooks {
  readonly hooks: readonly Hook[];
  readonly faults: readonly string[];
  /** Of the project, which nobody trusts as it is now. */
  readonly untrusted: readonly Hook[];
}

export interface HooksDeps {
  readonly project: string;
  /** The value of `hooks` in the person's configuration. */
  readonly own: () => unknown;
  /** Whether the project is trusted with its content as it is now. */
  readonly trusted: () => Promise<boolean>;
  /** The scrubbed environment of programs. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** In the system's sandbox where commands run in it; undefined where they do not. */
  readonly sandbox: () =>
    | ((
        file: string,
        args: readonly string[],
        cwd: string,
      ) => Result<{ readonly file: string; readonly args: readonly string[] }>)
    | undefined;
}

/** Of standard output and standard error each; what comes beyond ends the hook. */
const maxOutputBytes = 256 * 1024;
/** Between TERM and KILL for what a hook left when it was ended. */
const graceMs = 500;

export function createHooks({ project, own, trusted, environment, sandbox }: HooksDeps): Hooks {
  const list = async (): Promise<ListedHooks> => {
    const mine = readHooks(own(), 'user', 'config.json');
    const files = projectHooks(project);
    const theirs = files.flatMap(({ hooks }) => hooks);
    const isTrusted = theirs.length > 0 && (await trusted());
    // What was read before trust was asked for has to be what is trusted.
    const counts = isTrusted && JSON.stringify(projectHooks(project)) === JSON.stringify(files);
    return {
      hooks: [...mine.hooks, ...(counts ? theirs : [])],
      faults: [...mine.faults, ...files.flatMap(({ faults }) => faults)],
      untrusted: counts ? [] : theirs,
    };
  };
  const start = async (hook: Hook, input: string, signal: AbortSignal): Promise<ProgramOutcome> => {
    const isWindows = process.platform === 'win32';
    const file = isWindows ? 'cmd.exe' : '/bin/sh';
    const args = [...(isWindows ? ['/d', '/s', '/c'] : ['-c']), hook.command];
    const boxed = sandbox()?.(file, args, project);
    if (boxed?.ok === false) return { ...nothing, ended: 'failed', failure: boxed.error.message };
    const mark = shortId('hook');
    const outcome = await runProgram({
      file: boxed?.value.file ?? file,
      args: boxed?.value.args ?? args,
      cwd: project,
      env: { ...environment(), CLAUDE_PROJECT_DIR: project, VISE_PROJECT_DIR: project, [taskMark]: mark },
      timeoutMs: hook.timeoutMs,
      maxBytes: maxOutputBytes,
      stdin: input,
      signal,
    });
    // Its group is gone; what left the group is found by the mark that it carries.
    if (outcome.ended !== 'exit' && !isWindows) await stopProcesses([{ task: mark, leader: 0 }], { graceMs });
    return outcome;
  };
  return {
    list,
    async run({ event, names, facts, session }, signal) {
      if (own() === undefined && projectHooks(project).length === 0) return [];
      const { hooks } = await list();
      const wanted = hooks.filter((hook) => hook.event === event && isMatched(hook.matcher, names));
      const input = JSON.stringify({
        session_id: session.id,
        transcript_path: '',
        cwd: project,
        permission_mode: session.mode === 'ask' ? 'plan' : 'default',
        hook_event_name: event,
        ...facts,
      });
      const once = wanted.filter(({ command }, at) => wanted.findIndex((other) => other.command === command) === at);
      return Promise.all(
        once.map(async (hook): Promise<RanHook> => {
          const outcome = await start(hook, `${input}\n`, signal);
          return { hook, ...readAnswer(event, outcome, hook.timeoutMs) };
        }),
      );
    },
  };
}

const nothing = { stdout: '', stderr: '', exitCode: null, signal: null } as const;
