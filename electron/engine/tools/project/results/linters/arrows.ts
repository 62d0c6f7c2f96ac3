import { type Issue, issueOf } from '../base/issue.ts';

/** `warning: message` with ` --> file:1:2` below: rustc, clippy, and ruff (`F401 [*] message`). */
const found =
  /^(?:(error|warning)(?:\[([\w:-]+)\])?: (.*)|([A-Z]{1,5}\d{2,4}|invalid-syntax):? (?:\[\*\] )?(.*))\n[ \t]*--> (\S.*?):(\d+):(\d+)$/gm;
const lint = /#\[(?:warn|deny|forbid)\(([\w:-]+)\)\]/;

export function parseArrows(text: string): readonly Issue[] {
  return [...text.matchAll(found)].map(
    ({ 0: whole, 1: severity, 2: code, 3: said, 4: rule, 5: message, 6: file, 7: line, 8: column, index }) => {
      const below = text.slice(index + whole.length).split(/\n\n/, 1)[0] ?? '';
      return issueOf({
        severity,
        message: said ?? message,
        file,
        line,
        column,
        rule: code ?? rule ?? lint.exec(below)?.[1],
      });
    },
  );
}
