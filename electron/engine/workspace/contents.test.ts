import { readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createContents } from './contents.ts';
import { testFolder, treeOf } from './testing/testFolder.ts';
import { hashOf } from './textFile.ts';

const bytes = (text: string) => Buffer.from(text);
const day = 24 * 60 * 60 * 1000;

test('contents are kept by their hash, privately, once, and only when needed', async () => {
  const folder = path.join(testFolder(), 'state/contents');
  const contents = createContents({ folder });
  expect(await contents.get(hashOf(bytes('a')))).toMatchObject({ ok: false, error: { code: 'FILE_NOT_FOUND' } });
  expect(() => statSync(folder)).toThrow();
  const id = hashOf(bytes('a'));
  expect(await Promise.all([contents.put(bytes('a')), contents.put(bytes('a'))])).toEqual([
    { ok: true, value: id },
    { ok: true, value: id },
  ]);
  expect(treeOf(folder)).toEqual({ [`${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`]: 'a' });
  expect([
    statSync(path.join(folder, id.slice(0, 2), id.slice(2, 4), id)).mode & 0o777,
    statSync(folder).mode & 0o777,
  ]).toEqual([0o600, 0o700]);
  expect(await contents.get(id)).toEqual({ ok: true, value: bytes('a') });
  for (const bad of ['', '../../etc/passwd', id.toUpperCase(), `${id}x`])
    expect(await contents.get(bad)).toMatchObject({ ok: false, error: { code: 'FILE_NOT_FOUND' } });
});

test('a damaged content is told, and mended by the next put', async () => {
  const folder = testFolder();
  const contents = createContents({ folder });
  const id = hashOf(bytes('precious'));
  await contents.put(bytes('precious'));
  const file = path.join(folder, id.slice(0, 2), id.slice(2, 4), id);
  writeFileSync(file, 'prec');
  expect(await contents.get(id)).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  await contents.put(bytes('precious'));
  expect(readFileSync(file, 'utf8')).toBe('precious');
});

test('what nobody names is collected once it is old enough', async () => {
  const folder = testFolder();
  let now = Date.now();
  const contents = createContents({ folder, youngMs: day / 2, now: () => now });
  const [a, b] = [hashOf(bytes('a')), hashOf(bytes('bb'))];
  await contents.put(bytes('a'));
  await contents.put(bytes('bb'));
  expect(await contents.collect(new Set())).toEqual({ removed: 0, removedBytes: 0, totalBytes: 3 });
  now += day;
  expect(await contents.collect(new Set([a]))).toEqual({ removed: 1, removedBytes: 2, totalBytes: 1 });
  expect([(await contents.get(a)).ok, (await contents.get(b)).ok]).toEqual([true, false]);
  // Putting it again makes it young again.
  now += day;
  await contents.put(bytes('a'));
  expect(await contents.collect(new Set())).toMatchObject({ removed: 0 });
});

test('the cap holds, after collecting what can go', async () => {
  const folder = testFolder();
  const live = new Set<string>();
  const contents = createContents({ folder, maxBytes: 10, liveIds: async () => live });
  const old = hashOf(bytes('12345678'));
  await contents.put(bytes('12345678'));
  expect(await contents.put(bytes('abc'))).toMatchObject({ ok: false, error: { code: 'LIMIT_EXCEEDED' } });
  utimesSync(path.join(folder, old.slice(0, 2), old.slice(2, 4), old), 1, 1);
  expect((await createContents({ folder, maxBytes: 10, liveIds: async () => live }).put(bytes('abc'))).ok).toBe(true);
  expect(Object.values(treeOf(folder)).filter((text) => text !== '')).toEqual(['abc']);
});

test('P5 a level that is a link is not written through', async () => {
  const away = testFolder();
  const folder = testFolder();
  const id = hashOf(bytes('a'));
  symlinkSync(away, path.join(folder, id.slice(0, 2)));
  expect(await createContents({ folder }).put(bytes('a'))).toMatchObject({
    ok: false,
    error: { code: 'FILE_WRITE_ERROR' },
  });
  expect(readdirSync(away)).toEqual([]);
});
