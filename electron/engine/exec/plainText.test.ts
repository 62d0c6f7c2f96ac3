import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlainText, plainText } from './plainText.ts';
import { terminalText } from './terminalText.ts';

const inPieces = (text: string, size: number): string => {
  const plain = new PlainText();
  for (let at = 0; at < text.length; at += size) plain.write(text.slice(at, at + size));
  return plain.text();
};

describe('plainText', () => {
  test.each([
    ['colours', '\x1b[31mred\x1b[0m and \x1b[1;38;5;4mblue\x1b[m\n', 'red and blue\n'],
    ['a progress line', '10%\r20%\r100%\ndone\n', '100%\ndone\n'],
    ['a shorter last state', 'loading...\r\x1b[Kok\n', 'ok\n'],
    ['backspaces', 'abc\b\bX\n', 'aXc\n'],
    ['line ends of Windows', 'a\r\nb\r\n', 'a\r\nb\r\n'],
    ['a window title', '\x1b]0;evil\x07text\x1b]2;x\x1b\\!\n', 'text!\n'],
    ['a clipboard write', '\x1b]52;c;aGk=\x07after\n', 'after\n'],
    ['a link', '\x1b]8;;http://x\x1b\\name\x1b]8;;\x1b\\\n', 'name\n'],
    ['several bars', 'a: 1\nb: 1\n\x1b[2A\ra: 9\x1b[K\n\rb: 9\x1b[K\n', 'a: 9\nb: 9\n'],
    ['a full-screen program', 'before\n\x1b[?1049h\x1b[2J\x1b[Hpainted\x1b[?1049lafter\n', 'before\nafter\n'],
    ['a cleared screen', 'old\n\x1b[2J\x1b[Hnew\n', 'new\n'],
    ['bells, nulls, deletes', 'a\x07b\x00c\x7fd\n', 'abcd\n'],
    ['eight-bit controls', 'a\u009b31mb\u009d0;t\u009cc\n', 'abc\n'],
    ['a device string', 'a\x1bPq#0;2\x1b\\b\n', 'ab\n'],
    ['character sets', '\x1b(0\x1b(Bplain\n', 'plain\n'],
    ['a column jump', 'a\x1b[10Gb\n', 'a        b\n'],
    ['no end of line', 'prompt> ', 'prompt> '],
    ['wide characters, written over', '漢字漢\b\bX\n', '漢字X \n'],
    ['one half of a wide character, written over', '漢字\r\x1b[CX\n', ' X字\n'],
    ['a wide character over one half of another', 'a漢字\r漢\n', '漢 字\n'],
    ['marks that take no column', 'e\u0301a\bX\n', 'e\u0301X\n'],
    ['pictures', '🚀 50%\r🚀 99%\n', '🚀 99%\n'],
    ['a picture, written over', '🚀x\b\b\bab\n', 'abx\n'],
    ['bars of blocks', '█░░ 33%\r██░ 66%\r███ 99%\n', '███ 99%\n'],
    ['a wide text, cut', '漢字漢字\r\x1b[4C\x1b[K\n', '漢字\n'],
    ['columns taken out and put in', '漢字ab\r\x1b[2P\x1b[2C\x1b[@\n', '字 ab\n'],
    ['a picture, repeated', '🚀\x1b[2b\n', '🚀🚀🚀\n'],
  ])('%s', (_name, raw, expected) => {
    expect(plainText(raw)).toBe(expected);
  });

  test.each([
    ['a clipboard write', '\x1b]52;c;never ended\nnext\n', '\nnext\n'],
    ['a clipboard write in eight bits', 'a\u009d52;c;x\nnext\n', 'a\nnext\n'],
    ['a title that another sequence ends', '\x1b]0;t\x1b[31mred\n', 'red\n'],
    ['a picture', 'a\x1bPq1\n2\n3', 'a'],
  ])('%s without its end costs no line after it, but for what spans lines', (_what, raw, expected) => {
    expect([plainText(raw), inPieces(raw, 1)]).toEqual([expected, expected]);
  });

  test('a picture of any size is dropped, in whatever pieces it comes', () => {
    const raw = `a\x1b]1337;File=:${'QUJD'.repeat(50_000)}\x07b\x1bPq${'#0;2~-\n'.repeat(50_000)}\x1b\\c`;
    expect([7, 4_095, 65_536, raw.length].map((size) => inPieces(raw, size))).toEqual(['abc', 'abc', 'abc', 'abc']);
  });

  test('pieces of any size give the same', () => {
    const raw = 'x\x1b[31my\x1b[0m\r\nz\x1b]0;title\x07\n10%\r20%\x1b[K\n';
    for (let size = 1; size < raw.length; size += 1) expect(inPieces(raw, size)).toBe(plainText(raw));
  });

  test('a text of any length without control characters is untouched', () => {
    const lines = Array.from({ length: 3_000 }, (_, i) => `line ${i} äöü 😀\t.`).join('\n');
    expect([plainText(lines) === lines, inPieces(`\x1b[m${lines}`, 777) === lines]).toEqual([true, true]);
  });

  test('settled text is a beginning of the whole', () => {
    const plain = new PlainText();
    for (let i = 0; i < 1_000; i += 1) plain.write(`line ${i}\n`);
    expect([plain.settledLength > 5_000, plain.text().startsWith('line 0\nline 1\n')]).toEqual([true, true]);
  });

  test('what is left is what a terminal shows, wide characters and marks included', async () => {
    const parts = fc.constantFrom(
      ...[
        'a',
        'bc',
        '漢',
        '字x',
        'e\u0301',
        '한',
        '█',
        ' ',
        '\r',
        '\b',
        '\n',
        '\x1b[K',
        '\x1b[1K',
        '\x1b[3G',
        '\x1b[C',
      ],
      ...['\x1b[2D', '\x1b[P', '\x1b[2@', '\x1b[X', '\x1b[A', '\x1b[B', '\x1b[2K'],
    );
    const bare = (text: string): string =>
      text
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .trimEnd();
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 25 }), async (pieces) => {
        const text = pieces.join('');
        expect(bare(plainText(text))).toBe(bare(await terminalText(Buffer.from(text), 200, 50)));
      }),
      { numRuns: 100 },
    );
  });

  test.each(['x', '漢', '🚀'])(
    'a line of any length stays one line, and a change of it costs no more than a row: %s',
    (c) => {
      const line = c.repeat(100_000);
      expect(plainText(`\x1b[m${line}\nnext`) === `${line}\nnext`).toBe(true);
      // Were the whole line moved for each change, this would not come back.
      const changed = plainText(`${c.repeat(3_000_000)}${'\bX'.repeat(100_000)}\r${'\x1b[9C\r'.repeat(100_000)}`);
      expect([changed.length >= 2_990_000, changed.includes('\n')]).toEqual([true, false]);
    },
  );

  test.each([
    ['jumps', '\x1b[9999Gx\n'],
    ['steps', '\x1b[9999C\x1b[9999Cx'],
    ['repetitions', 'x\x1b[9999b'],
    ['blanks put in', 'x\r\x1b[9999@\n'],
    ['rows', '\x1b[9999Bx'],
  ])('%s cannot make a text that is thousands of times longer than what was written', (_what, piece) => {
    const text = plainText(piece.repeat(20_000));
    expect(text.length).toBeLessThan(1_000_000 + piece.length * 20_000 + 100);
  });

  test('no input throws, and no escape character is left', () => {
    const noise = fc.array(
      fc.constantFrom(
        '\x1b',
        '[',
        ']',
        '5',
        ';',
        'A',
        'J',
        'H',
        'K',
        'm',
        '?1049',
        'h',
        'l',
        '\n',
        '\r',
        'é',
        '\x07',
        '\\',
        'M',
        '\b',
        '8',
        '7',
        '2',
      ),
    );
    fc.assert(
      fc.property(noise, (parts) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
        expect(plainText(parts.join(''))).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
      }),
    );
  });
});
