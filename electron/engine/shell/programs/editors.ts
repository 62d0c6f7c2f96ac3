import { type Command, literalWord } from '../parse/line.ts';
import { optionCommands } from './commandOptions.ts';
import type { Program, Runs } from './program.ts';
import { wholeTree } from './sweeps.ts';

const command = { long: 'cmd', short: 'c', within: /!(.*)$/s };
/** `vim +'!cmd'`, `less +!cmd`. */
const plusCommand = /^\+.*?!(.+)$/s;

/** `!cmd` and `w file` in what an editor of lines is sent, or in `-c`. */
function lineEditor({ argv, redirects }: Command): Runs | undefined {
  const given = argv[0] === 'ex' ? optionCommands([command], argv) : [];
  const lines = redirects.flatMap(({ body }) => (body === undefined ? [] : body.split('\n')));
  const runs = lines.flatMap((line) => /^[^!a-z]*(?:[rwe]\s*)?!\s*(.+)$/s.exec(line)?.[1] ?? []);
  const writes = lines.flatMap((line) => /^[^a-zA-Z]*[wW]q?!?\s+([^!\s].*)$/.exec(line)?.[1] ?? []);
  if (given.length + runs.length + writes.length === 0) return undefined;
  const scripts = [...given.map(({ script }) => script), ...runs];
  return { scripts, writes: writes.map(literalWord), reach: Number.POSITIVE_INFINITY, apart: true };
}

/** Editors, pagers and what looks into programs: vim 9, less, man-db 2, bat, fzf, gdb 14. */
export const editors: readonly Program[] = [
  { names: 'ed', writes: 'names', runs: lineEditor },
  { names: 'ex', writes: 'names', runs: lineEditor, interprets: 'code' },
  ...['vi', 'vim', 'nvim'].map(
    (names): Program => ({
      names,
      writes: 'names',
      interprets: 'code',
      takes: [command],
      runsIn: plusCommand,
    }),
  ),
  { names: 'emacs', writes: 'names', interprets: 'code' },
  ...['gvim', 'view', 'vimdiff'].map(
    (names): Program => ({ names, interprets: 'code', takes: [command], runsIn: plusCommand }),
  ),
  ...['less', 'more', 'most'].map((names): Program => ({ names, runsIn: plusCommand })),
  { names: 'man', words: 'messages', takes: [{ long: 'pager html', short: 'P' }] },
  ...['bat', 'batcat', 'delta'].map((names): Program => ({ names, takes: [{ long: 'pager' }] })),
  {
    names: 'fzf sk',
    // It shows each file that it finds to the program that is named there.
    sweeps: (argv) => (argv.some((word) => /^--(?:preview|bind)(?:=|$)/.test(word)) ? [wholeTree] : []),
    takes: [{ long: 'preview' }, { long: 'bind', within: /execute[-a-z]*[(:[{](.*?)[)\]}]?$/s }],
  },
  {
    names: 'gdb',
    interprets: 'commands',
    takes: [{ long: 'eval-command ex', within: /^(?:shell|!)\s*(.*)$/s }],
    wraps: { verbs: '--args' },
  },
];
