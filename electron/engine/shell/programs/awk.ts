import type { Program } from './program.ts';
import { type TextEffects, textRuns } from './scriptTexts.ts';

export const awk: Program = {
  names: 'awk gawk mawk nawk',
  interprets: 'code',
  tellsWrites: true,
  writes: ({ argv }, names) => (argv.includes('inplace') ? names : []),
  runs: (command) =>
    textRuns(
      command,
      {
        option: /^(?:-e|--source)$/,
        glued: /^--source=(.+)$/s,
        valued: /^(?:-[FvfiEl]|--(?:field-separator|assign|file|include|exec|load))$/,
      },
      effects,
      'awk',
    ),
};

const literal = String.raw`"(?:\\[^]|[^"\\])*"`;

/** `system(…)`, pipes and redirections of an awk program (POSIX, gawk 5). Found in the text: what is only named in a string counts too. */
function effects(program: string): TextEffects {
  const runs: string[] = [];
  const writes: (string | null)[] = [];
  let runsInput = false;
  const run = (given: string | undefined): void => {
    const whole = given === undefined ? undefined : new RegExp(`^\\s*(${literal})\\s*$`).exec(given)?.[1];
    for (const text of given?.match(new RegExp(literal, 'g')) ?? []) runs.push(unquoted(text));
    if (whole === undefined) runsInput = true;
  };
  for (const found of program.matchAll(/\bsystem\s*\(([^)]*)/g)) run(found[1]);
  for (const found of program.matchAll(new RegExp(`(${literal}|[\\w$)\\]]+)\\s*\\|&?\\s*getline`, 'g'))) run(found[1]);
  for (const found of program.matchAll(new RegExp(`(?<!\\|)\\|&?(?!\\|)\\s*(?!getline)(${literal}|[\\w$(]+)`, 'g')))
    if (!insideString(program, found.index)) run(found[1]);
  for (const found of program.matchAll(
    new RegExp(`\\bprintf?\\b((?:${literal}|[^;\\n}">])*)>>?\\s*(${literal}|[^\\s])`, 'g'),
  )) {
    const target = found[2] ?? '';
    writes.push(target.startsWith('"') ? unquoted(target) : null);
  }
  return { runs, writes, runsInput };
}

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(["\\/])/g, '$1');
}

function insideString(program: string, index: number): boolean {
  const before = program
    .slice(0, index)
    .replaceAll(/\\[^]/g, '')
    .replaceAll(/\/[^/\n]*\//g, '');
  return (before.split('"').length - 1) % 2 === 1;
}
