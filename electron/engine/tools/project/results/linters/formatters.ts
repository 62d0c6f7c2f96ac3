import { type Issue, issueOf } from '../issue.ts';

/** What formatters say of files that they would change: prettier, black, ruff, rustfmt, gofmt by its differences. */
const forms: readonly RegExp[] = [
  /^\[warn\] (?!Code style issues)(\S.*\.\w+)$/gm,
  /^[Ww]ould reformat:? (\S.*)$/gm,
  /^Diff in (\S.*?\.rs):(\d+):?$/gm,
  /^diff (?:-u )?(\S+)\.orig \S+$/gm,
  /^error: (\S.*?):\d+:\d+: code should be clang-formatted/gm,
];

export function parseFormatters(text: string): readonly Issue[] {
  const unformatted = forms.flatMap((form) =>
    [...text.matchAll(form)].map(([, file, line]) =>
      issueOf({ severity: 'warning', message: 'not formatted', file, line }),
    ),
  );
  const broken = [...text.matchAll(/^\[error\] (\S.*?): (\w*Error: .*?)(?: \((\d+):(\d+)\))?$/gm)].map(
    ([, file, message, line, column]) => issueOf({ severity: 'error', message, file, line, column }),
  );
  return [...unformatted, ...broken];
}
