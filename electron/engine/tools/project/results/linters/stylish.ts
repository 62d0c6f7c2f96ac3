import { type Issue, issueOf } from '../base/issue.ts';

const row = /^ +(\d+)(?::(\d+))? {2,}(error|warning|✖|×|⚠|ℹ)  *(\S.*)$/;

/** A line with the file, then its rows: `  1:5  error  message  rule`, as eslint, stylelint and others print it. */
export function parseStylish(text: string): readonly Issue[] {
  const issues: Issue[] = [];
  let file: string | undefined;
  for (const line of text.split('\n')) {
    const found = row.exec(line);
    if (!found) {
      if (/^\S.*[./\\]\S*$/.test(line)) file = line.trim();
      else if (line.trim() !== '') file = undefined;
      continue;
    }
    if (file === undefined) continue;
    const [, at, column, severity, rest = ''] = found;
    const [, message = rest, rule] = /^(.*?) {2,}(\S+)$/.exec(rest.trimEnd()) ?? [];
    issues.push(issueOf({ severity, message, file, line: at, column, rule }));
  }
  return issues;
}
