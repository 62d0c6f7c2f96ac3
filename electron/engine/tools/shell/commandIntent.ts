import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { CommandRequest } from '../../exec/executor.ts';
import { isEmbeddedRepository } from '../../git/embeddedRepository.ts';
import { commandHash } from '../../permission/commandHash.ts';
import { shownCommand } from '../../shell/quoteWord.ts';
import { isReadOnly, isReadOnlyArgv } from '../../shell/readOnly.ts';
import type { Look, Planned, PlannedIntent } from '../frame/tool.ts';
import type { TaskPort } from './taskPort.ts';

export interface CommandInput {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly usualTimeoutMs?: number | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly background?: boolean | undefined;
}

/** The command exactly as it will run, and the intent that shows it. Errors: those of the executor's plan, and of the folder. */
export async function planCommand(
  input: CommandInput,
  look: Look,
  tasks: TaskPort,
): Promise<Result<Planned<CommandRequest>>> {
  const { command, args = [], timeoutMs, usualTimeoutMs, env, background } = input;
  const folder = await look.resolve(input.cwd ?? '.');
  if (!folder.ok) return folder;
  const { real: cwd, kind } = folder.value;
  if (kind === 'missing') return fail('DIRECTORY_NOT_FOUND', `The folder ${input.cwd} does not exist`);
  if (kind !== 'directory') return fail('NOT_A_DIRECTORY', `${input.cwd} is not a folder`);
  const request: CommandRequest = {
    command,
    cwd,
    ...(args.length > 0 ? { args } : {}),
    timeoutMs,
    usualTimeoutMs,
    env,
    background,
  };
  const plan = await tasks.plan(request);
  if (!plan.ok) return plan;
  const { mode, argv } = plan.value;
  return ok({ intent: commandIntent(request, mode, argv, look.root), plan: request });
}

function commandIntent(
  request: CommandRequest,
  mode: 'shell' | 'direct',
  argv: readonly string[] | undefined,
  project: string,
): PlannedIntent {
  const { cwd, env } = request;
  const shown = shownCommand(request);
  const words = argv === undefined ? {} : { argv };
  const added = env === undefined ? {} : { env };
  const { platform } = process;
  const reads = argv === undefined ? isReadOnly(shown, { platform }) : isReadOnlyArgv(argv, platform);
  return {
    risk: 'dangerous',
    effects: ['executes'],
    // In a repository that lies in the project, git obeys what that one says, programs included.
    provenReadOnly: reads && env === undefined && !(/\bgit\b/.test(shown) && isEmbeddedRepository(project, cwd)),
    targets: [{ kind: 'command', command: shown, ...words, cwd }],
    summary: `Run ${shown.split('\n', 1)[0] ?? ''}`,
    preview: {
      kind: 'command',
      command: shown,
      ...words,
      cwd,
      mode,
      ...added,
      hash: commandHash({ command: shown, argv, cwd, env }),
    },
  };
}
