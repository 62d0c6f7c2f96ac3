import { expect, test } from 'vitest';
import { visible } from './visible.ts';

test.each([
  ['plain ünïcode 测试 🚀\n\tx', 'plain ünïcode 测试 🚀\n\tx', []],
  ['a\x1b[2Jb', 'a␛[2Jb', ['control']],
  ['a\rb\x7f\x00', 'a␍b␡␀', ['control']],
  ['a\u009bb', 'a⟦U+009B⟧b', ['control']],
  ['rm \u202egnp.a', 'rm ⟦U+202E⟧gnp.a', ['bidi']],
  ['a\u200bb\ufeff', 'a⟦U+200B⟧b⟦U+FEFF⟧', ['invisible']],
  ['a\u{e0041}', 'a⟦U+E0041⟧', ['invisible']],
  ['a\u200db', 'a⟦U+200D⟧b', ['invisible']],
  ['👩\u200d💻', '👩\u200d💻', []],
  [`ls${' '.repeat(200)}; rm x`, 'ls ⟦200 blanks⟧ ; rm x', ['padding']],
  [`ls${'\n'.repeat(30)}rm x`, 'ls\n⟦29 empty lines⟧\nrm x', ['padding']],
  [`  ${' '.repeat(20)}indented`, `  ${' '.repeat(20)}indented`, []],
])('C5: %j is shown without anything hidden', (text, shown, flags) => {
  expect(visible(text)).toEqual({ text: shown, flags });
});
