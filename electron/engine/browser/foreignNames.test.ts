import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { createForeignNames } from './foreignNames.ts';

const hosts = '127.0.0.1 localhost\n127.0.0.1\tapp.test www.app.test # with other.test\n# 127.0.0.1 off.test\n';

test('S3: any of the addresses of a name may be this machine, in whatever spelling; its own names and addresses may be asked', async () => {
  const names = createForeignNames(
    async (host) =>
      host === 'nowhere.test' ? Promise.reject(new Error('ENOTFOUND')) : ['203.0.113.1', '::ffff:127.0.0.1'],
    () => hosts,
  );
  for (const host of [
    'evil.test',
    'EVIL.test.',
    'other.test',
    'off.test',
    'sub.app.test',
    'appxtest',
    'localhost.evil.test',
  ])
    expect([host, await names.before(host)]).toEqual([host, expect.stringContaining('which is this machine')]);
  for (const host of [
    'localhost',
    'a.localhost',
    'app.test',
    'www.app.test',
    hostname(),
    '127.0.0.1',
    '[::1]',
    'nowhere.test',
  ])
    expect([host, await names.before(host)]).toEqual([host, undefined]);
  expect(names.after('evil.test', '169.254.169.254')).toContain('169.254.169.254');
  expect(names.after('evil.test', '203.0.113.1')).toBeUndefined();
});
