import { type Line, span, tornLines } from './spans.ts';

/** One line of a unified diff in its colour. */
export function diffLine(line: string): Line {
  if (/^(?:diff |index |\+\+\+|---|new file|deleted file|old mode|new mode|rename |similarity )/.test(line))
    return [span(line, 'bold')];
  if (line.startsWith('@@')) return [span(line, 'cyan')];
  if (line.startsWith('+')) return [span(line, 'green')];
  if (line.startsWith('-')) return [span(line, 'red')];
  return [span(line, 'dim')];
}

/** A unified diff within so many columns; what does not fit goes on in the next line. */
export function diffLines(diff: string, columns: number): readonly Line[] {
  const text = diff.replace(/\n$/, '').replaceAll('\t', '    ');
  return text === '' ? [] : text.split('\n').flatMap((line) => tornLines(diffLine(line), columns));
}

/** What changes in one file, indented: of the head of its diff only what the name of the file does not tell. */
export function hunkLines(diff: string, columns: number): readonly Line[] {
  const lines = diff.split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  const told = lines.filter((line, at) => (first >= 0 && at >= first) || /^(?:rename |old mode|new mode)/.test(line));
  return diffLines(told.join('\n'), columns - 2).map((line) => [span('  '), ...line]);
}
