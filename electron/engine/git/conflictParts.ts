/** One conflict of a file: the lines of both sides, and what git calls them. */
export interface ConflictPart {
  readonly ours: string;
  readonly theirs: string;
  readonly oursName: string;
  readonly theirsName: string;
}

export type Choice = 'ours' | 'theirs' | 'both';

const whole =
  /^<{7}(?: ([^\r\n]*))?\r?\n((?:(?!<{7}|\|{7}|={7}|>{7})[^\n]*\n)*)(?:\|{7}(?: [^\r\n]*)?\r?\n(?:(?!<{7}|={7}|>{7})[^\n]*\n)*)?={7}\r?\n((?:(?!<{7}|={7}|>{7})[^\n]*\n)*)>{7}(?: ([^\r\n]*))?(?:\r?\n|$)/gm;

/** The conflicts that git marked in a file, in their order. */
export function conflictParts(text: string): readonly ConflictPart[] {
  return [...text.matchAll(whole)].map(([, oursName = '', ours = '', theirs = '', theirsName = '']) => ({
    ours,
    theirs,
    oursName,
    theirsName,
  }));
}

/** The file with each conflict as it was chosen; one without a choice stays marked. */
export function resolveParts(text: string, choices: readonly Choice[]): string {
  let at = 0;
  return text.replace(whole, (marked: string, _oursName, ours: string, theirs: string) => {
    const choice = choices[at];
    at += 1;
    if (choice === undefined) return marked;
    return choice === 'ours' ? ours : choice === 'theirs' ? theirs : ours + theirs;
  });
}
