import { fail, ok, type Result } from '../../../shared/result.ts';
import { estimateSeconds, estimateWords } from '../shell/estimate.ts';
import { parseLine } from '../shell/parse/parseLine.ts';
import { batchCommandLine } from '../shell/parse/windowsWords.ts';
import { shellMode, splitWords } from '../shell/shellMode.ts';
import { findExecutable } from './findExecutable.ts';
import { startFault } from './startFaults.ts';

/** How a command is going to be started. `file` and `args` are what the system is told. */
export interface CommandPlan {
  readonly mode: 'shell' | 'direct';
  /** The words in direct mode. */
  readonly argv?: readonly string[];
  readonly file: string;
  readonly args: readonly string[];
  readonly estimateSeconds: number | null;
  /** On Windows: `args` are quoted for cmd.exe already. */
  readonly verbatim?: boolean;
  /** Something the caller should know about the command. */
  readonly hint?: string;
}

export interface PlanOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The shell program; empty for the system's. */
  readonly shell: string;
  readonly slowCommands: Readonly<Record<string, number>>;
  readonly platform?: string;
}

/** Errors: VALIDATION_ERROR (blank, NUL, unterminated quote, too long a word), COMMAND_NOT_FOUND, NOT_EXECUTABLE. */
export function planCommand(
  command: string,
  args: readonly string[] | undefined,
  options: PlanOptions,
): Result<CommandPlan> {
  const platform = options.platform ?? process.platform;
  if (command.trim() === '') return fail('VALIDATION_ERROR', 'command must be provided');
  // The system takes a NUL for the end of a word: what would run is not what was shown.
  if ([command, ...(args ?? [])].some((word) => word.includes('\0')))
    return fail('VALIDATION_ERROR', 'a command and its arguments cannot hold a NUL character');
  if (args !== undefined && args.length > 0) return planWords(command, args, { ...options, platform });
  const chosen = shellMode(command, platform);
  if (chosen.mode === 'error') return fail('VALIDATION_ERROR', chosen.message);
  if (chosen.mode === 'direct') return direct(chosen.argv, { ...options, platform });
  const runnable = shellRuns(command, { ...options, platform });
  if (!runnable.ok) return runnable;
  const estimate = estimateSeconds(command, options.slowCommands);
  const [only, ...more] = parseLine(command, { starts: true }).commands;
  const hint =
    only?.argv[0] === 'cd' && more.length === 0 ? { hint: 'working directory does not persist between calls' } : {};
  if (platform === 'win32') {
    const file = options.shell || options.env['ComSpec'] || options.env['COMSPEC'] || 'cmd.exe';
    return ok({
      mode: 'shell',
      file,
      args: ['/d', '/s', '/c', `"${command}"`],
      verbatim: true,
      estimateSeconds: estimate,
      ...hint,
    });
  }
  return ok({
    mode: 'shell',
    file: options.shell || '/bin/sh',
    args: ['-c', command],
    estimateSeconds: estimate,
    ...hint,
  });
}

/** Whether the shell can be started with this text. The system's own is taken to be there. */
function shellRuns(command: string, { shell, cwd, env, platform }: PlanOptions & { platform: string }): Result<null> {
  if (shell === '') return startFault('/bin/sh', [command], { cwd, platform });
  const found = findExecutable(shell, { cwd, env, platform });
  if (found.ok) return startFault(found.value, [command], { cwd, platform });
  const why = found.error.code === 'NOT_EXECUTABLE' ? 'may not be executed' : 'is not there';
  return fail(found.error.code, `the shell of the settings, '${shell}', ${why}.`, {
    hint: 'Mend shell.program in the settings, or leave it empty for the shell of the system.',
  });
}

/** A program with its words apart: taken as it stands; split only when there is no program of that name with the blanks in it. */
function planWords(
  command: string,
  args: readonly string[],
  options: PlanOptions & { platform: string },
): Result<CommandPlan> {
  const asItIs = direct([command, ...args], options);
  if (asItIs.ok || asItIs.error.code !== 'COMMAND_NOT_FOUND' || !/\s/.test(command)) return asItIs;
  const split = splitWords(command, options.platform);
  if (split === undefined) return fail('VALIDATION_ERROR', 'unterminated quote');
  return direct([...split, ...args], options);
}

function direct(
  argv: readonly string[],
  { cwd, env, slowCommands, platform }: PlanOptions & { platform: string },
): Result<CommandPlan> {
  const found = findExecutable(argv[0] ?? '', { cwd, env, platform });
  if (!found.ok) return found;
  const runnable = startFault(found.value, argv, { cwd, platform });
  if (!runnable.ok) return runnable;
  const estimate = estimateWords(argv, slowCommands);
  if (platform === 'win32' && /\.(?:cmd|bat)$/i.test(found.value)) {
    if (argv.some((word) => /[\r\n]/.test(word)))
      return fail(
        'VALIDATION_ERROR',
        'a batch file takes no line break in an argument: cmd.exe would end the command there.',
      );
    const line = batchCommandLine([found.value, ...argv.slice(1)]);
    const file = env['ComSpec'] ?? env['COMSPEC'] ?? 'cmd.exe';
    return ok({
      mode: 'direct',
      argv,
      file,
      args: ['/d', '/s', '/c', `"${line}"`],
      verbatim: true,
      estimateSeconds: estimate,
    });
  }
  // The word as it was written is what the program sees as its own name; the system finds the same file by it.
  const file = platform === 'win32' ? found.value : (argv[0] ?? '');
  return ok({ mode: 'direct', argv, file, args: argv.slice(1), estimateSeconds: estimate });
}
