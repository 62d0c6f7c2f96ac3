import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffRuns } from './diffRuns.ts';
import { splitLines } from './lines.ts';
import { moveEdits } from './moveEdits.ts';

const text = (letters: string): string => [...letters].map((letter) => `${letter}\n`).join('');
const moved = (from: string, to: string, onto: string) => {
  const { text: result, lost } = moveEdits(text(from), text(to), text(onto));
  return [result.replaceAll('\n', ''), lost];
};

describe('edits are made on another text', () => {
  test.each<[string, string, string, string, string, readonly number[]]>([
    ['where their lines stand there', 'abcde', 'abXde', '12abcde', '12abXde', []],
    ['beside what was changed there', 'abcde', 'aXcde', 'abcdY', 'aXcdY', []],
    ['right beside it', 'abcde', 'abXde', 'aYcde', 'aYXde', []],
    ['but not over it', 'abcde', 'abXdZ', 'abYde', 'abYdZ', [0]],
    ['but not into lines that are gone', 'abcde', 'abNcde', 'ae', 'ae', [0]],
    ['behind what came at the same place', 'ab', 'aXb', 'aYb', 'aYXb', []],
    ['not twice', 'abcde', 'abXde', 'abXdY', 'abXdY', []],
    ['and take away what is still there', 'abcde', 'ae', 'Zabcde', 'Zae', []],
  ])('%s', (_, from, to, onto, expected, lost) => {
    expect(moved(from, to, onto)).toEqual([expected, lost]);
  });

  test('one of several equal lines only where it was', () => {
    expect(moved('l}b}', 'l}bE', '}b}')).toEqual(['}bE', []]);
  });

  test('only those that are asked for', () => {
    const [first] = diffRuns(splitLines(text('abcde')), splitLines(text('AbcdE')));
    expect(moveEdits(text('abcde'), text('AbcdE'), text('1abcde'), first ? [first] : [])).toEqual({
      text: text('1Abcde'),
      lost: [],
    });
  });
});

const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 14 }).map((each) => text(each.join('')));

test('on the text itself they lead to the other one, and on that one nothing is left to do', () => {
  fc.assert(
    fc.property(letters, letters, (from, to) => {
      expect(moveEdits(from, to, from)).toEqual({ text: to, lost: [] });
      expect(moveEdits(from, to, to)).toEqual({ text: to, lost: [] });
    }),
  );
});

test('what is lost is not made, and all the rest is', () => {
  fc.assert(
    fc.property(letters, letters, letters, (from, to, onto) => {
      const edits = diffRuns(splitLines(from), splitLines(to));
      const { text: result, lost } = moveEdits(from, to, onto);
      const left = edits.filter((_, index) => !lost.includes(index));
      expect(moveEdits(from, to, onto, left)).toEqual({ text: result, lost: [] });
    }),
  );
});
