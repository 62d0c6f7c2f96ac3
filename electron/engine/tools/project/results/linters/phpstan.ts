import { type Issue, issueOf } from '../base/issue.ts';

/** PHPStan's table: `  Line   src/A.php`, then a row an error; a long message goes on in the next row. */
export function parsePhpstan(text: string): readonly Issue[] {
  const issues: Issue[] = [];
  for (const section of text.split(/^ *Line +(?=\S+\.\w+ *$)/m).slice(1)) {
    const file = section.split('\n', 1)[0]?.trim();
    const rows = section.split(/^ -{3,} -{3,}.*$/m)[1] ?? '';
    for (const row of rows.split(/^ {2}(?= *:?\d+ {2})/m).slice(1)) {
      const [, line, message = ''] = /^ *:?(\d+) +([\s\S]*)$/.exec(row) ?? [];
      const [said = '', rule] = message.split(/ *🪪 +/);
      issues.push(
        issueOf({ severity: 'error', message: said.replace(/\s+/g, ' '), file, line, rule: rule?.split(/\s/, 1)[0] }),
      );
    }
  }
  return issues;
}
