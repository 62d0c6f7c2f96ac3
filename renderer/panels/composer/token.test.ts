import { describe, expect, test } from 'vitest';
import { mentionedIn, tokenAt, withMention } from './token.ts';

describe('the token at the caret', () => {
  test('an @ after a blank begins a mention', () => {
    expect(tokenAt('see @src/a', 10)).toEqual({ kind: 'mention', query: 'src/a', from: 4 });
  });
  test('an @ inside a word does not', () => expect(tokenAt('me@example', 10)).toBeNull());
  test('a mention that is done is no token', () => expect(tokenAt('see @a ', 7)).toBeNull());
  test('a slash counts at the very start alone', () => {
    expect([tokenAt('/un', 3), tokenAt('in /un', 6)]).toEqual([{ kind: 'slash', query: 'un', from: 0 }, null]);
  });
});

test('a chosen path takes the place of what was typed of it', () => {
  const token = tokenAt('see @sl now', 7);
  expect(token && withMention('see @sl now', token, 7, 'src/slug.ts')).toEqual({
    text: 'see @src/slug.ts now',
    caret: 16,
  });
});

test('only what is still mentioned is attached, each once', () => {
  const text = 'compare @src/a.ts, with @src/b.ts.';
  expect(mentionedIn(text, ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/a.ts'])).toEqual(['src/a.ts', 'src/b.ts']);
});
