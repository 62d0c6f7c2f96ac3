/**
 * Why an expansion of a line cannot be proven harmless: arithmetic and `${x:=…}` set variables, PATH among them;
 * `${x@P}`, `${!x}` and subscripts evaluate what the variable holds, commands included. Looked for in the text itself, so
 * that no place of the grammar is left out.
 */
export function mayEvaluate(text: string): boolean {
  if (/\(\(|\$\[|\$\{[^}]*=/.test(text)) return true;
  return [...text.matchAll(/\$\{/g)].some(({ index }) => {
    plain.lastIndex = index;
    return !plain.test(text);
  });
}

const plain =
  /\$\{(?:#?(?:[A-Za-z_]\w*(?:\[(?:\d+|[@*])\])?|\d+|[@*#?$!-])\}|(?:[A-Za-z_]\w*|\d+|[@*])(?:\[(?:\d+|[@*])\])?(?::?[-+?]|##?|%%?|\/|\^\^?|,,?|:\d+(?::\d+)?\}))/y;
