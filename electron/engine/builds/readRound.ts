import { plainText } from '../exec/plainText.ts';
import type { ReadFinding } from '../rehearsal/newFindings.ts';
import { findingsOf } from '../rehearsal/runCheck.ts';
import { withoutForbidden } from '../tools/frame/withoutForbidden.ts';
import { placeIn } from '../tools/project/results/base/place.ts';
import { createPlacer } from '../tools/project/results/placeResults.ts';
import { summarizeIssues } from '../tools/project/results/summarizeIssues.ts';
import { summarizeTests } from '../tools/project/results/summarizeTests.ts';
import type { Look } from '../workspace/look.ts';
import type { Round } from './rounds.ts';

/** More of them cannot be judged one by one. */
const maxRead = 500;
const maxThrown = 20;
/** Lines of a stack or an excerpt that belong to one error. */
const stackLines = 25;
const linesAbove = 6;
const maxMessage = 300;

/** A line of a log that names a place is no finding unless it says that something went wrong. */
const wordOfFault = /error|fatal|cannot|can't|unexpected|undefined|not found|fail|panic|exception|missing|invalid/i;
const placeFirst = /^[^\s:()]+\.\w{1,10}:\d+(?::\d+)?:/;

/** `TypeError: x is not a function`, `[vite] Internal server error: …`, `ERROR in ./src/a.ts`, `panic: …`. */
const headline =
  /^(?:\S*\s*\[[\w-]+\] )?(?:Uncaught |Unhandled |✘ )*(?:\w*(?:Error|Exception)(?: \[\w+\])?|Internal server error|panic|ERROR in [^\n:]+|Error when [^\n:]+): (.+)$/;

/** What a round of a watcher found, as far as it names it. */
export async function readRound(
  { text, kind, isBad }: Round,
  { name, command, cwd }: { readonly name: string; readonly command: string; readonly cwd: string },
  look: Look,
  signal: AbortSignal,
): Promise<readonly ReadFinding[]> {
  const allowed = withoutForbidden(plainText(text), look, cwd);
  const shown = kind === 'burst' ? withoutChatter(allowed) : allowed;
  const summary = summarizeTests(shown, '', command);
  const tests = summary && summary.total > 0 ? summary : undefined;
  const issues = tests ? undefined : summarizeIssues(shown, '', maxRead);
  const thrown = tests || issues?.issues.some(({ severity }) => severity === 'error') ? [] : thrownErrors(shown);
  const place = createPlacer(look, cwd, signal);
  const found = findingsOf(
    {
      summary: tests && { ...tests, failures: await Promise.all(tests.failures.map(place)) },
      issues: {
        total: 0,
        errors: 0,
        warnings: 0,
        issues: await Promise.all([...(issues?.issues ?? []), ...thrown].map(place)),
      },
    },
    name,
  );
  if (!isBad || found.some(({ finding }) => finding.severity === 'error')) return found;
  const last = shown.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const message = last === '' ? 'It failed and says nothing.' : last.slice(0, maxMessage);
  return [...found, { finding: { check: name, severity: 'error', message }, key: JSON.stringify(['end', name]) }];
}

const withoutChatter = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !placeFirst.test(line) || wordOfFault.test(line))
    .join('\n');

/** Errors that a program was ended by or has printed, with the first place of its stack or excerpt that is the project's. */
function thrownErrors(text: string) {
  const lines = text.split('\n');
  const found = lines.flatMap((line, at) => {
    const message = headline.exec(line);
    return message ? [{ at, message: line.trim().slice(0, maxMessage) }] : [];
  });
  return found.slice(0, maxThrown).map(({ at, message }, index) => {
    const next = found[index + 1]?.at ?? lines.length;
    const below = lines.slice(at, Math.min(next, at + stackLines)).join('\n');
    // Node shows the place above the message, Python its stack.
    const above = lines.slice(Math.max(found[index - 1]?.at ?? 0, at - linesAbove), at);
    const place = ownPlace(below) ?? ownPlace(above.toReversed().join('\n'));
    return { severity: 'error' as const, message, file: place?.file?.replace(/^file:\/\//, ''), line: place?.line };
  });
}

/** A web address is no file. */
const ownPlace = (text: string): ReturnType<typeof placeIn> => placeIn(text.replaceAll(/https?:\/\/\S+/g, ''));
