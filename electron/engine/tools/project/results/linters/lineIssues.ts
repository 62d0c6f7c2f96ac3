import { type Issue, issueOf } from '../base/issue.ts';

/**
 * `file:3:5: severity: message`, as GCC, Clang, javac, Go, mypy, pylint, flake8, ruff, golangci-lint, RuboCop, ShellCheck and
 * eslint's unix format print it. A note belongs to the line
 * above it, but for those of ShellCheck.
 */
const line =
  /^(?:vet: )?((?:[A-Za-z]:[\\/])?[^\s:()]+\.\w{1,10}|(?:[^\s:]*\/)?(?:Makefile|Dockerfile)):(\d+)(?::(\d+))?(?::\d+)?: +(\S.*)$/gm;

const severity = /^(fatal error|error|warning|note|info|style|[CRWEFI])\b: */;
/** `F401 text`, `C0114: text`. */
const codeFirst = /^([A-Z]{1,5}\d{2,5}):? +(?=\S)/;
const codeLast = / +(?:\[(?:(?:Error|Warning)\/)?([\w@./:=+-]+)\]|\(([a-z][\w-]*)\))$/;

export function parseLines(text: string): readonly Issue[] {
  return [...text.matchAll(line)].flatMap(([, file, at, column, rest = '']) => {
    let said = rest.replace(/ +\[\*\]/, '');
    const word = severity.exec(said)?.[1] ?? /\[(Error|Warning)\//.exec(said)?.[1];
    if (word === 'note' && !/ \[SC\d+\]$/.test(said)) return [];
    said = said.replace(severity, '').replace(/^\[Correctable\] /, '');
    const first = codeFirst.exec(said)?.[1];
    if (first !== undefined) said = said.replace(codeFirst, '');
    const last = codeLast.exec(said);
    const cop = /^([A-Z]\w+\/[\w/]+): /.exec(said)?.[1];
    if (cop !== undefined) said = said.slice(cop.length + 2);
    const rule = first ?? cop ?? last?.[1] ?? last?.[2];
    if (last) said = said.slice(0, last.index);
    const byLetter = first === undefined ? undefined : pylintLetter(first);
    return [issueOf({ severity: word ?? byLetter, message: said, file, line: at, column, rule })];
  });
}

/** pylint's numbers have four digits; their letter is the severity. */
const pylintLetter = (code: string): string | undefined => (/^[CRWEFI]\d{4}$/.test(code) ? code[0] : undefined);
