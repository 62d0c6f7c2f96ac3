import { expect, test } from 'vitest';
import { controlName, plainOutput, visibleText } from './visibleText.ts';

const shown = (text: string): string =>
  visibleText(text)
    .map((stretch) => stretch.text)
    .join('');

test('C5: an escape character is drawn, not obeyed', () => {
  expect(visibleText('ls \u001b[2K')).toEqual([
    { kind: 'plain', text: 'ls ' },
    { kind: 'control', text: '␛' },
    { kind: 'plain', text: '[2K' },
  ]);
});

test('C5: a mark that turns the reading direction is flagged as such', () => {
  expect(visibleText('a\u202eb')).toEqual([
    { kind: 'plain', text: 'a' },
    { kind: 'bidi', text: '‹U+202E›' },
    { kind: 'plain', text: 'b' },
  ]);
});

test.each([
  ['carriage return', '\r', '␍'],
  ['delete', '\u007f', '␡'],
  ['C1', '\u009b', '‹U+009B›'],
  ['zero-width space', '\u200b', '‹U+200B›'],
  ['byte order mark', '\ufeff', '‹U+FEFF›'],
  ['tag letter', '\u{e0061}', '‹U+E0061›'],
  ['no-break space', '\u00a0', '‹U+00A0›'],
  ['Hangul filler', '\u3164', '‹U+3164›'],
  ['lone surrogate', '\ud800', '‹U+D800›'],
])('C5: %s does not stay unseen', (_name, character, picture) => {
  expect(shown(`a${character}b`)).toBe(`a${picture}b`);
});

test('C5: nothing is padded out of sight', () => {
  expect(shown(`ls${' '.repeat(40)}; rm x`)).toBe(`ls${'·'.repeat(40)}; rm x`);
});

test('ordinary text of any script stays as it is', () => {
  const text = "git commit -m 'naïve 你好 привет 👍'\n  && echo done";
  expect(visibleText(text)).toEqual([{ kind: 'plain', text }]);
});

test('control pictures have names for fonts without them', () => {
  expect(['␛', '␀', '␡', 'x'].map(controlName)).toEqual(['ESC', 'NUL', 'DEL', undefined]);
});

test('C8: output is shown without its escape sequences', () => {
  expect(plainOutput('\u001b[31mred\u001b[0m \u001b]52;c;cHduZWQ=\u0007\u001b]0;title\u001b\\ok\u009b1m')).toBe(
    'red ok',
  );
});

test('a progress line shows its last state', () => {
  expect(plainOutput('10%\r50%\r100%\r\ndone\n')).toBe('100%\ndone\n');
});
