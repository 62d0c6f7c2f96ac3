/** What a hunk brings that wants a second look; the window has a word for each. */
export type HunkReason =
  | 'skipsTests'
  | 'silencesChecks'
  | 'runsPrograms'
  | 'reachesOut'
  | 'touchesSecrets'
  | 'takesMuch';

const patterns: readonly (readonly [HunkReason, RegExp])[] = [
  [
    'skipsTests',
    /\b(?:describe|it|test)\.(?:skip|only|todo)\b|\bx(?:it|describe)\(|@(?:pytest\.mark\.skip|Disabled|Ignore)\b|\bt\.Skip\(/,
  ],
  [
    'silencesChecks',
    /\b(?:eslint|oxlint)-disable|\bbiome-ignore|@ts-(?:ignore|nocheck|expect-error)|#\s*noqa|type:\s*ignore|\bnolint\b/,
  ],
  [
    'runsPrograms',
    /\beval\(|\bnew Function\(|\bchild_process\b|\bsubprocess\b|\bos\.system\(|(?<!\.)\b(?:exec(?:File)?|spawn)(?:Sync)?\(/,
  ],
  ['reachesOut', /\bhttps?:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\]|example\.(?:com|org))\b)/],
  ['touchesSecrets', /\b(?:password|passwd|secret|api[_-]?key|access[_-]?token|private[_-]?key)\b/i],
];

/** From this many lines on that go without any coming for them. */
const muchTaken = 15;

/** Why a hunk wants a second look, told from the lines that it brings and did not bring before. */
export function hunkReasons(goes: readonly string[], comes: readonly string[]): readonly HunkReason[] {
  const was = goes.join('\n');
  const is = comes.join('\n');
  const found = patterns.flatMap(([reason, pattern]) => (pattern.test(is) && !pattern.test(was) ? [reason] : []));
  return goes.length >= muchTaken && comes.length === 0 ? [...found, 'takesMuch'] : found;
}
