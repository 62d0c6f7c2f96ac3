import { expect, test } from 'vitest';
import { quietCode } from './quietCode.ts';

const filler = 'call(one, two); other = one + two; again(one);';

/** The text with `…` for what is left out. */
function without(text: string, isTyped = false): string | undefined {
  const parts = quietCode(text, { isTyped });
  let rest = '';
  let at = 0;
  for (const { start, end } of parts ?? []) {
    rest += `${text.slice(at, start)}…`;
    at = end;
  }
  return parts && rest + text.slice(at);
}

test.each([
  ['a body', `function f(a) { ${filler} }`, 'function f(a) {…}'],
  ['a body behind a type', `function f(): Map<string, A> { ${filler} }`, 'function f(): Map<string, A> {…}', true],
  ['the bodies of a class, not its members', `class A { x = 1; run() { ${filler} } }`, 'class A { x = 1; run() {…} }'],
  [
    'a block in a body that defines',
    `function f() { if (a) { ${filler} } class B {} }`,
    'function f() { if (a) {…} class B {} }',
  ],
  ['a literal', `const a = { b: 1, c: [1, 2, 3], d: 'abcdefghijklmnopqrstuvwxyz' }`, 'const a = {…}'],
  ['arguments, with functions that have no name', `call(function () { ${filler} }, x => x + 1)`, 'call(…)'],
  ['a comment', `/* ${filler} */ a`, '/*…*/ a'],
  ['strings, templates and patterns', `{ a('}'); b(\`}\${"}"}\`); c = /[/}]/g.test(d); ${filler} }`, '{…}'],
  ['nothing of little', 'function f() { return 1; }', 'function f() { return 1; }'],
])('what is left out: %s', (_, text, rest, isTyped = false) => {
  expect(without(text, isTyped)).toBe(rest);
});

test.each([
  ['a function', `function inner() {}`],
  ['a named arrow', `const inner = (a, b) => a`],
  ['a named async arrow', `const inner = async a => a`],
  ['a property that is a function', `call({ inner: function () {} })`],
  ['a method', `call({ inner() {} })`],
  ['a method whose name is a word of the language', `call({ default() {} })`],
  ['a method that is named like a condition', `call({ if(a) {} })`],
  ['a class', `return class {}`],
])('a body with %s in it is kept', (_, definition) => {
  expect(without(`function f() { ${filler} ${definition} }`)).toContain(definition);
});

test.each([
  ['a member of a type', `let a: { inner(b: string): void };`],
  ['a member behind another without a mark', `let a: {\n  b: void\n  inner(c: string): void };`],
  ['an arrow behind a type of several', `const inner = (a: string): A | undefined => a;`],
  ['an arrow behind a type that is an arrow', `const inner = (): (() => A) => a;`],
  ['a type', `type Inner = string;`],
  ['an interface', `interface Inner { a: string }`],
  ['a parameter that is a field', `return class { constructor(private readonly inner: string) {} }`],
])('in TypeScript a body with %s in it is kept', (_, definition) => {
  expect(without(`function f() { ${filler} ${definition} }`, true)).toContain(definition);
});

test.each([
  ['names that are exported', `export { aaaaaaaaaaaa, bbbbbbbbbbbb, cccccccccccc, dddddddddddd };`],
  ['names that are taken apart', `const { aaaaaaaaaaaa, bbbbbbbbbbbb, cccccccccccc, dddddddddddd } = e;`],
  ['a condition', `if (aaaaaaaaaaaa && bbbbbbbbbbbb && cccccccccccc && dddddddddddd) e();`],
  ['a name that is computed', `x = { [aaaaaaaaaaaa + bbbbbbbbbbbb + cccccccccccc + dddddddddddd]() {} };`],
])('%s stay', (_, text) => {
  expect(without(text)).toBe(text);
});

test.each([
  ['a slash behind a brace', `{ ${filler} } / 2 / 3`],
  ['markup', `a = <p>don't</p>; function f() { ${filler} }`],
  ['a bracket too many', `function f() { ${filler} } }`],
  ['a bracket too few', `function f() { { ${filler} }`],
  ['brackets that do not match', `call([ ${filler} )]`],
  ['brackets deeper than anybody writes', `${'('.repeat(2_001)}${')'.repeat(2_001)}`],
  ['an open string', `a = 'b\nfunction f() { ${filler} }`],
  ['an open comment', `function f() { ${filler} } /* a`],
  ['an open template', `function f() { ${filler} } \`a`],
])('%s: no answer', (_, text) => {
  expect(quietCode(text, { isTyped: false })).toBeUndefined();
});
