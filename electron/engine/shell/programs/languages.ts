import type { Program } from './program.ts';
import { gathered } from './sweeps.ts';

const perlLike = { interprets: 'code', inline: /^-[A-Za-z0-9]*[eE]$/ } as const;
const inPlace = /^-[A-Za-z0-9]*i|^--in-place/;

/** Languages whose code may stand in the words. Python, JavaScript's package managers, make and awk have their own files. */
export const languages: readonly Program[] = [
  ...['perl', 'ruby'].map(
    (names): Program => ({
      ...perlLike,
      names,
      changes: inPlace,
      sweeps: gathered(/(?:^|\s)-run\s+-e\s*httpd\b/),
      writes: ({ argv }, given) => (argv.some((word) => /^-[a-z0-9]*i/.test(word)) ? given : []),
    }),
  ),
  ...['lua', 'luajit', 'osascript', 'rscript', 'julia', 'scala', 'groovy'].map(
    (names): Program => ({ ...perlLike, names }),
  ),
  { names: 'php', interprets: 'code', inline: /^-[rRBE]$/, sweeps: gathered(/^-S\b/, '-t') },
  {
    names: 'node nodejs',
    interprets: 'code',
    inline: /^(?:-[pe]|-pe|--eval|--print)$/,
  },
  { names: 'deno', interprets: 'code', inline: /^eval$/ },
  ...['tclsh', 'wish', 'expect', 'ghci', 'irb', 'jshell', 'gnuplot', 'octave', 'r', 'guile'].map(
    (names): Program => ({ names, interprets: 'code' }),
  ),
  // What they are given is run later, elsewhere, or in another grammar.
  ...'tmux screen at batch alias lldb entr start forfiles wsl wscript cscript mshta'
    .split(' ')
    .map((names): Program => ({ names, interprets: 'commands' })),
  { names: 'crontab', interprets: 'commands' },
];
