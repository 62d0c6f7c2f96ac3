import { type Command, isLiteral } from '../parse/line.ts';
import type { Program, Runs } from './program.ts';

/** Shells: what they are given with `-c` is a line of its own; another grammar is not understood. */
export const shells: readonly Program[] = [
  ...['sh', 'bash', 'zsh', 'dash', 'ksh', 'mksh', 'ash', 'rbash'].map(
    (names): Program => ({
      names,
      shell: 'posix',
      runs: (command) => shellRuns(command, names),
      ...(names === 'bash' && { versions: '--version' }),
    }),
  ),
  ...['fish', 'csh', 'tcsh', 'nu', 'xonsh', 'elvish', 'pwsh', 'powershell', 'cmd'].map(
    (names): Program => ({
      names,
      shell: 'foreign',
      runs: (command) => foreignRuns(command, names),
      ...(/^p(?:wsh|owershell)$/.test(names) && { interprets: 'code' }),
    }),
  ),
  {
    names: 'trap',
    wraps: { skip: Number.POSITIVE_INFINITY },
    runs: ({ words }) => (words[1] ? { scripts: [words[1]], reach: 2, apart: true } : undefined),
  },
];

/** `sh -c SCRIPT`, `bash -lc SCRIPT`; a shell without a script file reads commands from its input. */
function shellRuns({ words, redirects }: Command, name: string): Runs | undefined {
  let wantsScript = false;
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index];
    const value = word?.value ?? '';
    if (!word || (!isLiteral(word) && !wantsScript))
      return { reach: index + 1, opaque: `what ${name} runs is only known when it runs` };
    if (/^(?:[-+][oO]|--rcfile|--init-file)$/.test(value)) index += 1;
    else if (/^-[A-Za-z]*c[A-Za-z]*$/.test(value)) wantsScript = true;
    else if (value === '-s') break;
    else if (/^[-+]./.test(value) && value !== '--') continue;
    else if (value !== '-' && value !== '--')
      return wantsScript ? { scripts: [word], reach: index + 1, apart: true } : undefined;
  }
  if (words.slice(1).some(({ value }) => /^--?(?:version|help)$/.test(value))) return undefined;
  const fed = redirects.find(({ op, body }) => op.startsWith('<') && body !== undefined)?.body;
  const reach = Number.POSITIVE_INFINITY;
  return fed === undefined ? { reach, opaque: `${name} runs what it is sent` } : { scripts: [fed], reach, apart: true };
}

/** `cmd /c x` and friends: another grammar, so the words are only good for finding dangers. */
function foreignRuns({ argv, words }: Command, name: string): Runs | undefined {
  if (argv.length === 2 && /^--?(?:version|help|v)$/i.test(argv[1] ?? '')) return undefined;
  const rest = words.slice(1).filter(({ value }) => !/^(?:-|\/[A-Za-z]$)/.test(value));
  const loose = rest.map(({ value }) => value).join(' ');
  return { loose, reach: Number.POSITIVE_INFINITY, opaque: `${name} has a grammar of its own` };
}
