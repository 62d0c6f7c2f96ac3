import { type Issue, issueOf } from '../issue.ts';

/** `a.ts(3,4): error TS2322: message`, as tsc, MSBuild and Microsoft's compilers print it; MSBuild repeats all at its end. */
const line =
  /^[ \t]*([^\s()][^()\n]*)\((\d+)(?:,(\d+))?(?:,\d+,\d+)?\) ?: (?:fatal )?(error|warning|info) ([A-Z]+\d+): (.*?)(?: \[[^\]\n]+\.\w*proj(?:::[^\]\n]*)?\])?$/gm;

export function parseParens(text: string): readonly Issue[] {
  return [...text.matchAll(line)].map(([, file, at, column, severity, rule, message]) =>
    issueOf({ severity, message, file, line: at, column, rule }),
  );
}
