import { placeIn } from '../base/place.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/summary.ts';

/** AVA's reporter: one line a count at the end (`2 tests passed`). */
export function parseAva(text: string): TestSummary | undefined {
  const counted = (what: string) => sumOf(text, new RegExp(`^ {2}(\\d+) ${what}$`, 'gm'));
  const none = /^ *✖ (?:Couldn.t find any (?:files|matching tests)|No tests found in )/m.test(text);
  const lines =
    /^ {2}\d+ (?:tests? (?:passed|failed|skipped|todo)|uncaught exceptions?|unhandled rejections?|known failures?)$/m;
  if (!none && !lines.test(text)) return undefined;
  const counts = {
    passed: counted('tests? passed'),
    failed:
      counted('tests? failed') +
      counted('hooks? failed') +
      counted('uncaught exceptions?') +
      counted('unhandled rejections?'),
    skipped: counted('tests? skipped') + counted('tests? todo') + counted('known failures?'),
  };
  return summaryOf('ava', counts, failuresIn(text));
}

/** Below a line (`─`): the name, the place, the code, the message. */
function failuresIn(text: string): readonly TestFailure[] {
  return text
    .split(/^ {2}─+$/m)
    .slice(1)
    .flatMap((section) => section.split(/^(?= {2}\S.*\n\n {2}(?:file:\/\/)?\S+:\d+$)/m).slice(1))
    .map((block) => {
      const [name = '', , place = '', ...rest] = block.split('\n');
      const said = rest.filter((line) => line.trim() !== '' && !/^\s+\d+:|^ {2}[›─]/.test(line));
      return failureOf(name, placeIn(place), said.join('\n'));
    });
}
