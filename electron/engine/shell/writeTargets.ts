import type { Command, Word } from './parse/line.ts';
import { leavesOut, optionValues, split } from './programs/program.ts';
import { programOf } from './programs/programs.ts';
import { unwrap } from './unwrap.ts';

/** Options that name what a program makes, for programs that are not known. */
const outputs = '-o -out --out --output --outfile --out-file --output-file --outdir --out-dir';

/**
 * The files that a command is known to write, create, move or remove: redirections, and the words of programs whose
 * purpose it is. Not complete: any program may write anywhere; only the operating system's sandbox is a boundary.
 */
export function writeTargets(command: Command): readonly Word[] {
  const redirected = command.redirects.filter(({ write }) => write).map(({ word }) => word);
  return [...redirected, ...written(command), ...(unwrap(command)?.writes ?? [])];
}

function written(command: Command): readonly Word[] {
  const program = programOf(command.argv[0] ?? '');
  const names = command.words.filter(
    ({ value }, index) => index > 0 && !/^-./.test(value) && !leavesOut.test(command.argv[index - 1] ?? ''),
  );
  const { writes } = program;
  const found =
    typeof writes === 'function'
      ? writes(command, names, (name) => programOf(name).changes === true)
      : writes === 'names'
        ? names
        : writes === 'rest'
          ? names.slice(1)
          : names.slice(0, writes === 'first' ? 1 : 0);
  const options = program.outputs ?? (writes ? undefined : outputs);
  return options ? [...found, ...optionValues(command.words, split(options))] : found;
}

/** Programs that change the files that they are given, so that words that come later are such files too. */
export function changesFiles({ argv }: Command): boolean {
  const { changes } = programOf(argv[0] ?? '');
  return typeof changes === 'object' ? argv.some((word) => changes.test(word)) : changes === true;
}
