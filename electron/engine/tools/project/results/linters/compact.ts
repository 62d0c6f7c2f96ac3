import { type Issue, issueOf } from '../issue.ts';

/** eslint's and stylelint's compact format: `file: line 1, col 2, Error - message (rule)`. */
export function parseCompact(text: string): readonly Issue[] {
  return [...text.matchAll(/^(\S.*): line (\d+), col (\d+), (\w+) - (.*?)(?: \((\S+)\))?$/gm)].map(
    ([, file, line, column, severity, message, rule]) => issueOf({ severity, message, file, line, column, rule }),
  );
}
