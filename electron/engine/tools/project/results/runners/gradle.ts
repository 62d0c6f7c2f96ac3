import { placeIn } from '../base/place.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** What Gradle's test tasks print: failures always, what passed only where the build says so. */
export function parseGradle(text: string): TestSummary | undefined {
  const count = (state: string) => [...text.matchAll(new RegExp(`^\\S.* > .+ ${state}$`, 'gm'))].length;
  const completed = sumOf(text, /^(\d+) tests? completed(?:, \d+ failed)?(?:, \d+ skipped)?$/gm);
  const states = { passed: count('PASSED'), failed: count('FAILED'), skipped: count('SKIPPED') };
  if (completed === 0 && states.passed + states.failed + states.skipped === 0) return undefined;
  if (!/^(?:> Task |BUILD |FAILURE: |\d+ tests? completed)/m.test(text) && states.failed === 0) return undefined;
  const failed = Math.max(states.failed, sumOf(text, /^\d+ tests? completed, (\d+) failed/gm));
  const skipped = Math.max(states.skipped, sumOf(text, /^\d+ tests? completed,.* (\d+) skipped/gm));
  const passed = Math.max(states.passed, completed - failed - skipped);
  return summaryOf('gradle', { passed, failed, skipped }, failuresIn(text), {
    incomplete: completed === 0 && states.passed === 0,
  });
}

function failuresIn(text: string): readonly TestFailure[] {
  return text
    .split(/^(?=\S.* > .+ (?:FAILED|PASSED|SKIPPED|STANDARD_OUT|STANDARD_ERROR)$)/m)
    .filter((block) => block.split('\n', 1)[0]?.endsWith(' FAILED'))
    .map((block) => {
      const [title = '', ...rest] = block.split('\n');
      const end = rest.findIndex((line) => line !== '' && !/^\s/.test(line));
      const below = rest.slice(0, end === -1 ? undefined : end).filter((line) => line.trim() !== '');
      const name = title.replace(/ FAILED$/, '').replace(/^.*:test > /, '');
      const simple = (name.split(' > ', 1)[0] ?? '').split('.').at(-1) ?? '';
      const own = below.find((line) =>
        new RegExp(`\\b${simple.replace(/\W/g, '.')}\\w*\\.(?:java|kt|groovy|scala):\\d+`).test(line),
      );
      return failureOf(name, placeIn(own ?? below.join('\n')), (below[0] ?? '').trim().replace(/ at \S+:\d+$/, ''));
    });
}
