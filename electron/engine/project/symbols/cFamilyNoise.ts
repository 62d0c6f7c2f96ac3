import type { TextPart } from './grammars.ts';

/** `int sum(a, b) int a; char *b; {`: the types of the parameters, as C was written before 1989. */
const oldParameters =
  /^[A-Za-z_][\w \t*]{0,200}\(\s*\w+(?:\s*,\s*\w+){0,50}\s*\)\s*((?:[A-Za-z_][\w\s*,[\]]{0,200};\s*){1,50})\{/dgm;

/** `class LIB_EXPORT Name : …`: the macro. */
const classMacro =
  /\b(?:class|struct)\s+((?:[A-Z0-9]+_[A-Z0-9_]+|[A-Z0-9]*(?:API|EXPORT))(?:\([^()\n]{0,100}\))?)\s+[A-Za-z_]\w*\s*(?:final\s*)?[:{]/dg;

/** Parts of a C or C++ text that its grammar cannot read, without which it reads the definitions around them. */
export function cFamilyNoise(text: string): readonly TextPart[] {
  return [oldParameters, classMacro]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap(({ indices }) => (indices?.[1] ? [{ start: indices[1][0], end: indices[1][1] }] : []))
    .sort((a, b) => a.start - b.start);
}
