import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { editDistance } from '../../shared/text/editDistance.ts';
import { guardedIo } from './base/forTerminal.ts';
import { commandHelp, commonFlags, help } from './base/helpPages.ts';
import { exitCodes, type Io } from './base/io.ts';
import { type Flag, parseFlags } from './base/parseFlags.ts';
import { describeVersion } from './base/version.ts';
import { commands } from './commands.ts';

/** The command line: finds the command, checks the flags, answers the exit code. Never throws. */
export async function main(given: readonly string[], process: Io): Promise<number> {
  const { argv, io } = withoutColour(given, process);
  const [first, ...rest] = argv;
  if (first === '--version' || first === '-v' || first === '-V' || first === 'version') {
    io.out(`${describeVersion()}\n`);
    return exitCodes.done;
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    const [about = ''] = rest.filter((word) => !word.startsWith('-'));
    const asked = commands.find((command) => command.name === about);
    if (!asked && about !== '') {
      io.err(unknownCommand(about));
      return exitCodes.usage;
    }
    io.out(asked ? commandHelp(asked, io.screen?.columns()) : help(commands, io.screen?.columns()));
    return exitCodes.done;
  }
  const named = commands.find((command) => command.name === first);
  // `vise [open] [DIR]`: a folder, or the flags of `open`, may stand first.
  const opens = async () => first === undefined || first.startsWith('-') || (await isFolderName(first, io));
  const command = named ?? ((await opens()) ? commands.find(({ name }) => name === 'open') : undefined);
  if (!command) {
    io.err(unknownCommand(first ?? ''));
    return exitCodes.usage;
  }
  const words = named ? rest : argv;
  const end = words.indexOf('--');
  const flagWords = end < 0 ? words : words.slice(0, end);
  if (flagWords.includes('--help') || flagWords.includes('-h')) {
    const about = parseFlags(
      words.filter((word) => word !== '--help' && word !== '-h'),
      command.flags,
    );
    if (command.help && about.ok && about.value.words.length > 0) return command.help(about.value, guardedIo(io));
    io.out(commandHelp(command, io.screen?.columns()));
    return exitCodes.done;
  }
  // A command with a `--version V` of its own still tells ours where nothing else stands behind it.
  const ownVersion = command.flags.some(({ name }) => name === 'version') && flagWords.length > 1;
  if (flagWords.includes('--version') && !ownVersion) {
    io.out(`${describeVersion()}\n`);
    return exitCodes.done;
  }
  // `vise tool NAME --param value` takes the tool's own inputs, which only the tool knows.
  const free = command.name === 'tool' ? freeFlags(words, command.flags) : [];
  const parsed = parseFlags(
    words,
    [...command.flags, ...free],
    commonFlags.map(({ name }) => name),
  );
  if (!parsed.ok) {
    io.err(`vise ${command.name}: ${parsed.error}\n`);
    return exitCodes.usage;
  }
  const stray = parsed.value.words[command.words ?? Infinity];
  if (stray !== undefined) {
    io.err(
      `vise ${command.name}: "${stray}" is one word too many. "vise ${command.name} --help" tells what it takes.\n`,
    );
    return exitCodes.usage;
  }
  try {
    return await command.run(parsed.value, command.paints ? io : guardedIo(io));
  } catch (error) {
    const detail =
      io.env['VISE_DEBUG'] && error instanceof Error ? `\n${error.stack ?? ''}` : ' Set VISE_DEBUG=1 to see where.';
    guardedIo(io).err(
      `vise ${command.name}: this should not have happened: ${error instanceof Error ? error.message : String(error)}.${detail}\n`,
    );
    return exitCodes.failed;
  }
}

/** `--no-color` may stand anywhere before `--`. */
function withoutColour(argv: readonly string[], io: Io): { readonly argv: readonly string[]; readonly io: Io } {
  const end = argv.indexOf('--');
  const isIt = (word: string, at: number): boolean => word === '--no-color' && (end < 0 || at < end);
  if (!argv.some(isIt)) return { argv, io };
  return { argv: argv.filter((word, at) => !isIt(word, at)), io: { ...io, noColour: true } };
}

async function isFolderName(word: string, io: Io): Promise<boolean> {
  if (/[/\\.]/.test(word)) return true;
  const found = await stat(resolve(io.cwd, word)).catch(() => undefined);
  return found?.isDirectory() === true;
}

function freeFlags(words: readonly string[], known: readonly Flag[]): readonly Flag[] {
  return words
    .filter((word) => /^--[A-Za-z][\w-]*/.test(word))
    .map((word) => word.slice(2).split('=', 1)[0] ?? '')
    .filter((name) => !known.some((flag) => flag.name === name))
    .map((name) => ({ name, value: 'VALUE', about: '' }));
}

function unknownCommand(given: string): string {
  const nearest = commands
    .map(({ name }) => ({ name, distance: editDistance(given, name) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  const hint =
    nearest && nearest.distance <= 2 ? ` Did you mean "vise ${nearest.name}"?` : ' "vise --help" lists the commands.';
  return `vise: there is no command "${given}".${hint}\n`;
}
