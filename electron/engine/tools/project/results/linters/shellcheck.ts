import { type Issue, issueOf } from '../base/issue.ts';

/** ShellCheck: `In a.sh line 3:`, the code, and ` ^-- SC2086 (info): message`. */
export function parseShellcheck(text: string): readonly Issue[] {
  return text.split(/^(?=In .+ line \d+:$)/m).flatMap((block) => {
    const [, file, line] = /^In (.+) line (\d+):$/m.exec(block) ?? [];
    if (file === undefined) return [];
    return [...block.matchAll(/^( *)\^[-^]*(?:>|--|-*) *(SC\d+) \((\w+)\): (.*)$/gm)].map(
      ([, indent = '', rule, severity, message]) =>
        issueOf({ severity, message, file, line, column: indent.length + 1, rule }),
    );
  });
}
