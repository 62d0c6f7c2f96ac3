import { type Issue, issueOf } from '../issue.ts';

/** oxlint: `  ⚠ eslint(no-unused-vars): message` with `   ╭─[src/a.ts:1:7]` below (`,-[` without Unicode). */
const boxed = /^ *([⚠×!x]) (?:([\w-]+\([\w@/-]+\)): )?(.+(?:\n *│ .+)*)\n *(?:╭─|,-)\[(.+):(\d+):(\d+)\]$/gm;

export function parseBoxes(text: string): readonly Issue[] {
  return [...text.matchAll(boxed)].map(([, sign, rule, message = '', file, line, column]) =>
    issueOf({ severity: sign, message: message.replace(/\n *│ /g, ' '), file, line, column, rule }),
  );
}

/** Biome: `src/a.ts:1:7 lint/style/useConst  FIXABLE  ━━━`, then the message after a sign. */
export function parseBiome(text: string): readonly Issue[] {
  return text.split(/^(?=\S.* ━{5,}$)/m).flatMap((block) => {
    const [, file, line, column, rule] =
      /^(\S+?)(?::(\d+):(\d+))? ((?:lint|assist|suppressions|parse|format|internalError|organizeImports)\S*)(?: +FIXABLE)? +━/.exec(
        block,
      ) ?? [];
    if (rule === undefined) return [];
    const [, sign, message] = /^ +([✖×!⚠ℹi]) (.+)$/m.exec(block) ?? [];
    return [issueOf({ severity: sign, message, file, line, column, rule })];
  });
}
