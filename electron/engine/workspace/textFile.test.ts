import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, dominantEol, encodeChanged, encodeText, looksBinary } from './textFile.ts';

const decoded = (bytes: Uint8Array) => {
  const result = decodeText(bytes);
  return result.ok ? result.value : result.error.code;
};
const again = (bytes: Uint8Array) => {
  const result = decodeText(bytes);
  if (!result.ok) return result.error.code;
  const encoded = encodeText(result.value.text, result.value);
  return encoded.ok ? Buffer.from(encoded.value).toString('hex') : encoded.error.code;
};

const samples: readonly (readonly [string, Buffer, { encoding: string; bom: boolean; eol: string; text: string }])[] = [
  ['plain', Buffer.from('a\nb'), { text: 'a\nb', encoding: 'utf-8', bom: false, eol: '\n' }],
  ['empty', Buffer.alloc(0), { text: '', encoding: 'utf-8', bom: false, eol: '\n' }],
  [
    'UTF-8 with mark and CRLF',
    Buffer.from('\ufeffa\r\nb\r\n'),
    { text: 'a\r\nb\r\n', encoding: 'utf-8', bom: true, eol: '\r\n' },
  ],
  ['two marks', Buffer.from('\ufeff\ufeffa'), { text: '\ufeffa', encoding: 'utf-8', bom: true, eol: '\n' }],
  [
    'mixed ends',
    Buffer.from('a\r\nb\nc\rd\r\n'),
    { text: 'a\r\nb\nc\rd\r\n', encoding: 'utf-8', bom: false, eol: '\r\n' },
  ],
  ['old Mac', Buffer.from('a\rb\r'), { text: 'a\rb\r', encoding: 'utf-8', bom: false, eol: '\r' }],
  ['UTF-16LE', Buffer.from('\ufeffaé\n', 'utf16le'), { text: 'aé\n', encoding: 'utf-16le', bom: true, eol: '\n' }],
  [
    'UTF-16BE',
    Buffer.from('\ufeffa\r\n😀', 'utf16le').swap16(),
    { text: 'a\r\n😀', encoding: 'utf-16be', bom: true, eol: '\r\n' },
  ],
  ['GB 18030', Buffer.from('d6d0cec40a', 'hex'), { text: '中文\n', encoding: 'gb18030', bom: false, eol: '\n' }],
  [
    'GB 18030, four bytes',
    Buffer.from('d6d08130863081308130', 'hex'),
    { text: '中¸\u0080', encoding: 'gb18030', bom: false, eol: '\n' },
  ],
  [
    'Latin-1',
    Buffer.from('caf\xe9 na\xefve\n', 'latin1'),
    { text: 'café naïve\n', encoding: 'latin-1', bom: false, eol: '\n' },
  ],
];

test.each(samples)('%s is understood and gives the same bytes back', (_, bytes, expected) => {
  const found = decoded(bytes);
  if (typeof found === 'string') throw new Error(found);
  expect(found).toEqual(expected);
  expect(again(bytes)).toBe(bytes.toString('hex'));
});

const western = [
  'für',
  'Größe',
  'Straße',
  'Überprüfung der Größe',
  'const name = "Müller"; // schön',
  '"ÄÖÜ"',
  'åäö',
  'Grüße aus Köln',
  'function f() { return "größer"; } // übrig',
  'déjà vu',
  '¿Cómo estás?',
];

test.each(western)('Latin-1 is not taken for Chinese, and an edit keeps every byte outside it: %s', (text) => {
  const bytes = Buffer.from(`${text}\nold\n`, 'latin1');
  const read = decodeText(bytes);
  if (!read.ok) throw new Error(read.error.message);
  const edited = encodeChanged(read.value.text.replace('old', 'naïf'), read.value);
  expect([read.value.encoding, read.value.text, edited.ok && Buffer.from(edited.value).toString('latin1')]).toEqual([
    'latin-1',
    `${text}\nold\n`,
    `${text}\nnaïf\n`,
  ]);
});

test.each(['中', '文件名称', '错误: 文件不存在', 'printf("用户名");', '你好，世界！'])(
  'Chinese is read as such: %s',
  (text) => {
    const bytes = encodeText(text, { encoding: 'gb18030', bom: false });
    expect(bytes.ok && decoded(bytes.value)).toMatchObject({ text, encoding: 'gb18030' });
  },
);

test('nothing is written into a file whose encoding is not certain', () => {
  const japanese = Buffer.from('8365835883670a', 'hex'); // three katakana as Shift_JIS
  const read = decodeText(japanese);
  if (!read.ok) throw new Error(read.error.message);
  expect([read.value.encoding, again(japanese)]).toEqual(['unknown', japanese.toString('hex')]);
  expect(encodeChanged('x', read.value)).toMatchObject({
    error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('Convert it to UTF-8 first') },
  });
});

test('any bytes without NUL come back exactly', { timeout: 240_000 }, () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const result = again(bytes);
      return result === 'BINARY_FILE' ? bytes.includes(0) : result === Buffer.from(bytes).toString('hex');
    }),
    { numRuns: 2000 },
  );
});

test('any text can be written as GB 18030 and read back', { timeout: 240_000 }, () => {
  const decoder = new TextDecoder('gb18030');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const bytes = encodeText(text, { encoding: 'gb18030', bom: false });
      // The private-use area is where editions of the standard moved characters: there the encoder may refuse, never alter.
      return bytes.ok ? decoder.decode(bytes.value) === text : /[\ue000-\uf8ff]/.test(text);
    }),
    { numRuns: 2000 },
  );
});

test('a character the encoding lacks is refused, not replaced', () => {
  expect(encodeText('→', { encoding: 'latin-1', bom: false })).toEqual({
    ok: false,
    error: {
      code: 'VALIDATION_ERROR',
      message: 'The file is latin-1, which cannot hold the character "→". Convert the file to UTF-8 first',
    },
  });
  expect(encodeText('\ud800', { encoding: 'utf-8', bom: false }).ok).toBe(false);
});

test('P11 binary is told from text', () => {
  expect(decoded(Buffer.from('a\0b'))).toBe('BINARY_FILE');
  expect(looksBinary(Buffer.from('a\0b'))).toBe(true);
  expect(looksBinary(Buffer.concat([Buffer.alloc(8000, 97), Buffer.from([0])]))).toBe(false);
  expect(looksBinary(Buffer.from('\ufeffab', 'utf16le'))).toBe(false);
  expect(looksBinary(Buffer.from([0xff, 0xfe, 0, 0xd8, 0x61, 0]))).toBe(true);
});

test('the dominant line end is the most frequent', () => {
  expect(['', 'a', 'a\r\nb\n', 'a\r\nb\r\nc\n', 'a\rb\rc\n', '\r', '\r\n'].map(dominantEol)).toEqual([
    '\n',
    '\n',
    '\n',
    '\r\n',
    '\r',
    '\r',
    '\r\n',
  ]);
});
