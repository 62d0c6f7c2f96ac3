import { type Issue, issueOf } from '../base/issue.ts';

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
