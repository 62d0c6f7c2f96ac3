import { type Issue, issueOf } from '../issue.ts';

/** `a.ts:3:4 - error TS2322: message`, as tsc prints it for people, and pyright (`- error: message (rule)`). */
const line =
  /^[ \t]*((?:[A-Za-z]:[\\/])?[^\s:][^:\n]*):(\d+):(\d+) - (error|warning|info|information)(?: (TS\d+))?: (.*?)(?: \((report\w+)\))?$/gm;

export function parseDashed(text: string): readonly Issue[] {
  return [...text.matchAll(line)].map(([, file, at, column, severity, code, message, rule]) =>
    issueOf({ severity, message, file, line: at, column, rule: code ?? rule }),
  );
}
