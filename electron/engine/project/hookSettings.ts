import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import * as z from 'zod';
import { describeError } from '../base/log.ts';

/** When a hook runs; others that the format knows never happen here, and are told so. */
export const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
] as const;
export type HookEvent = (typeof hookEvents)[number];

/** A command that runs at an event. */
export interface Hook {
  readonly event: HookEvent;
  /** Which tools (of `SessionStart`: which beginnings) it is for; empty: all. */
  readonly matcher: string;
  readonly command: string;
  readonly timeoutMs: number;
  readonly origin: 'user' | 'project';
  /** Where it stands. */
  readonly file: string;
}

export interface ReadHooks {
  readonly hooks: readonly Hook[];
  /** What of them cannot be obeyed, each a sentence. */
  readonly faults: readonly string[];
}

/** A file of a project that has hooks, with what trust is bound to. */
export interface HookFile extends ReadHooks {
  readonly path: string;
  /** The hooks as they stand there. */
  readonly mark: string;
}

/** Where a project keeps them; each relative to it. The rest of these files is no business of trust. */
const projectFiles = ['.vise/settings.json', '.claude/settings.json', '.claude/settings.local.json'] as const;
const maxFileBytes = 256 * 1024;
const maxHooks = 100;
const maxCommandChars = 10_000;
const maxMatcherChars = 500;
const usualSeconds = 60;
const maxSeconds = 600;

const groupSchema = z.lazy(() =>
  z.object({ matcher: z.string().max(maxMatcherChars).optional(), hooks: z.array(z.unknown()) }),
);
const commandSchema = z.lazy(() =>
  z.object({
    type: z.literal('command'),
    command: z.string().min(1).max(maxCommandChars),
    timeout: z.number().positive().optional(),
  }),
);

/** The value of `hooks` in a file of settings, as Claude Code reads it. What does not fit is told and left out. */
export function readHooks(value: unknown, origin: Hook['origin'], file: string): ReadHooks {
  if (value === undefined) return { hooks: [], faults: [] };
  const events = z.record(z.string(), z.unknown()).safeParse(value);
  if (!events.success) return { hooks: [], faults: [`${file}: hooks must be an object of events.`] };
  const hooks: Hook[] = [];
  const faults: string[] = [];
  for (const [event, given] of Object.entries(events.data)) {
    const known = hookEvents.find((one) => one === event);
    if (known === undefined) {
      faults.push(`${file}: hooks at ${JSON.stringify(event.slice(0, 40))} are not run here.`);
      continue;
    }
    const groups = z.array(groupSchema).safeParse(given);
    if (!groups.success) {
      faults.push(`${file}: the hooks at ${event} must be a list of {matcher, hooks}.`);
      continue;
    }
    for (const { matcher = '', hooks: listed } of groups.data)
      for (const one of listed) {
        const parsed = commandSchema.safeParse(one);
        if (!parsed.success)
          faults.push(`${file}: a hook at ${event} is no {type: "command", command}; it is not run.`);
        else if (!isPattern(matcher))
          faults.push(`${file}: the matcher of a hook at ${event} is no pattern; it is not run.`);
        else {
          const { command, timeout = usualSeconds } = parsed.data;
          const timeoutMs = Math.min(timeout, maxSeconds) * 1000;
          hooks.push({ event: known, matcher, command, timeoutMs, origin, file });
        }
      }
  }
  if (hooks.length <= maxHooks) return { hooks, faults };
  return { hooks: hooks.slice(0, maxHooks), faults: [...faults, `${file}: only the first ${maxHooks} hooks are run.`] };
}

function isPattern(matcher: string): boolean {
  try {
    void new RegExp(matcher === '*' ? '' : matcher);
    return true;
  } catch {
    return false;
  }
}

/** The files of a project that have hooks, as they are now; nothing is run. Whether they count is a question of trust. */
export function projectHooks(project: string): readonly HookFile[] {
  return projectFiles.flatMap((path): readonly HookFile[] => {
    const text = readPlainFile(join(project, path), join(realRoot(project), path));
    if (text === undefined) return [];
    try {
      const parsed: unknown = JSON.parse(text);
      const hooks = z.object({ hooks: z.unknown().optional() }).safeParse(parsed).data?.hooks;
      return hooks === undefined ? [] : [{ path, mark: JSON.stringify(hooks), ...readHooks(hooks, 'project', path) }];
    } catch (error) {
      // Whatever it is to be, none of it is obeyed; a mended file is another content.
      return [{ path, mark: text, hooks: [], faults: [`${path} cannot be read: ${describeError(error)}.`] }];
    }
  });
}

/** Only the plain file itself: through a link anything of the machine could be read (P5). */
function readPlainFile(path: string, real: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > maxFileBytes) return undefined;
  try {
    return realpathSync(path) === real ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined; // gone meanwhile
  }
}

function realRoot(project: string): string {
  try {
    return realpathSync(project);
  } catch {
    return project;
  }
}

/** Files of the project that the words of a command name, relative to it: what they hold is obeyed too. */
export function namedFiles(project: string, command: string): readonly string[] {
  const plain = command.replaceAll(/\$\{?(?:CLAUDE|VISE)_PROJECT_DIR\}?/g, () => project);
  const words = plain.split(/[\s"'`;|&<>(){}=]+/).filter((word) => word !== '' && word.length < 1_000);
  const found = words.flatMap((word) => {
    const path = relative(project, resolve(project, word));
    if (path === '' || path === '..' || /^\.\.[/\\]/.test(path) || resolve(path) === path) return [];
    const stats = lstatSync(join(project, path), { throwIfNoEntry: false });
    return stats?.isFile() || stats?.isSymbolicLink() ? [path.replaceAll('\\', '/')] : [];
  });
  return [...new Set(found)];
}
