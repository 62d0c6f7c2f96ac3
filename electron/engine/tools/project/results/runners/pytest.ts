import { placeIn } from '../base/place.ts';
import { msOf } from '../base/readDuration.ts';
import { countBefore, failureOf, summaryOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

const lastLine =
  /^(?:=+ )?((?:\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|rerun|subtests passed)(?:, )?)+|no tests ran) in ([\d.]+) ?s(?:econds)?(?: \([\d:]+\))?(?: =+)?$/gm;

interface Section {
  readonly title: string;
  readonly body: string;
}

/** pytest: its last line, its short summary, and the reports of the failures. */
export function parsePytest(whole: string): TestSummary | undefined {
  const text = withoutCaptured(whole);
  const ends = text.split(/^(?==+ test session starts =+$)/m).flatMap(endsOf);
  const fatal = /^ImportError while loading conftest '([^']+)'|^INTERNALERROR> (?!Traceback)(\S.*)/m.exec(text);
  if (ends.length === 0 && !fatal && !/^=+ test session starts =+$/m.test(text)) return undefined;
  const failures = failuresIn(text);
  if (ends.length === 0) {
    if (fatal) failures.push(fatalIn(fatal, text));
    return summaryOf('pytest', { ...toldSoFar(text), failed: failures.length }, failures, { incomplete: true });
  }
  const sum = (...words: readonly string[]) =>
    ends.reduce((total, [, line = '']) => total + words.reduce((all, word) => all + countBefore(line, word), 0), 0);
  const counts = {
    passed: sum('passed', 'xpassed'),
    failed: sum('failed', 'error', 'errors'),
    skipped: sum('skipped', 'xfailed'),
  };
  return summaryOf('pytest', counts, failures, {
    durationMs: ends.reduce((total, [, , seconds]) => total + (msOf(`${seconds}s`) ?? 0), 0),
  });
}

/** A session ends once, in a frame; with -q there is neither frame nor beginning, and any number of them. */
function endsOf(session: string): readonly RegExpExecArray[] {
  const ends = [...session.matchAll(lastLine)];
  const framed = ends.findLast(([line]) => line.startsWith('='));
  return framed ? [framed] : ends;
}

/** What tests print may look like pytest itself; a line with which all ends is its own. */
function withoutCaptured(text: string): string {
  const last = [...text.matchAll(lastLine)].at(-1);
  const end = last && text.slice(last.index + last[0].length).trim() === '' ? last.index : -1;
  const kept: string[] = [];
  let captured = false;
  let at = 0;
  for (const line of text.split('\n')) {
    if (/^-+ Captured .+ -+$/.test(line)) captured = true;
    else if (at === end || /^_{3,} .+ _{3,}$|^(?:=+|-+) [A-Za-z].* (?:=+|-+)$/.test(line)) captured = false;
    if (!captured) kept.push(line);
    at += line.length + 1;
  }
  return kept.join('\n');
}

function failuresIn(text: string): TestFailure[] {
  const sections = sectionsOf(text);
  const summary = [...text.matchAll(/^(?:FAILED|ERROR) ([^\s:]+\.\w+(?:::.+?)?)(?: - (.*))?$/gm)].map(
    ([, name = '', message]) => ({ name, message }),
  );
  // Without the short summary: what -v and the reports themselves name.
  const named =
    summary.length > 0
      ? summary
      : [...text.matchAll(/^(?:\[gw\d+\] \[ *\d+%\] (?:FAILED|ERROR) )?(\S+\.py::.+?)(?: (?:FAILED|ERROR)\b.*)?$/gm)]
          .filter(([line]) => /\b(?:FAILED|ERROR)\b/.test(line))
          .map(([, name = '']) => ({ name: name.trim(), message: undefined }));
  if (named.length === 0)
    return sections.map((section) => failureOf(section.title, lastOwn(section.body), raised(section)));
  return named.map(({ name, message }) => {
    const [file = '', ...parts] = name.split('::');
    const title = parts.join('.');
    const section = sections.find((one) =>
      title === ''
        ? one.title === `ERROR collecting ${file}`
        : one.title === title || one.title.endsWith(` of ${title}`),
    );
    const place = section && (lastOwn(section.body, file) ?? lastOwn(section.body));
    return failureOf(name, place ?? { file }, (section && raised(section)) ?? message);
  });
}

/** `____ TestA.test_two[a] ____` and what is below it. */
function sectionsOf(text: string): readonly Section[] {
  const parts = text.split(/^_{3,} (.+?) _{3,}$/m);
  const sections: Section[] = [];
  for (let at = 1; at + 1 < parts.length; at += 2)
    sections.push({ title: parts[at] ?? '', body: (parts[at + 1] ?? '').split(/^=+ .* =+$/m, 1)[0] ?? '' });
  return sections;
}

/** Where a report ends: `tests/a.py:8: AssertionError`; of a file, if it is named, else any. */
function lastOwn(body: string, file?: string) {
  const places = [...body.matchAll(/^(?:E {3,}File ")?((?:[A-Za-z]:)?[^\s:"][^:"\n]*\.py)(?:", line |:)(\d+)\b/gm)].map(
    ([, path = '', line]) => ({ file: path, line: Number(line) }),
  );
  return places.findLast((place) => file === undefined || place.file === file || place.file.endsWith(`/${file}`));
}

function raised({ body }: Section): string | undefined {
  const lines = [...body.matchAll(/^E {1,7}(.*)$/gm)].map(([, line = '']) => line.trimEnd());
  return lines.length === 0 ? undefined : lines.join('\n');
}

function toldSoFar(text: string) {
  const count = (state: string) =>
    [...text.matchAll(new RegExp(`^(?:\\S+::.* ${state}\\b|\\[gw\\d+\\].* ${state} \\S+::)`, 'gm'))].length;
  return { passed: count('PASSED'), skipped: count('SKIPPED') };
}

function fatalIn([said, conftest, internal]: RegExpExecArray, text: string): TestFailure {
  const raisedLast = [...text.matchAll(/^E {3}(\S.*)$/gm)].at(-1)?.[1];
  const frames = placeIn(
    [...text.matchAll(/^(\S+\.py:\d+):/gm)]
      .map(([, place]) => place)
      .reverse()
      .join('\n'),
  );
  return failureOf(conftest ?? 'pytest', frames ?? { file: conftest }, raisedLast ?? internal ?? said);
}
