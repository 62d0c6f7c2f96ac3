import { expect, test } from 'vitest';
import { openOutside } from './outsideLink.ts';

/** What was asked and opened for an address, by a person who always answers so. */
async function follow(url: string, answer: boolean): Promise<readonly string[]> {
  const done: string[] = [];
  await openOutside(url, {
    ask(address) {
      done.push(`ask ${address}`);
      return Promise.resolve(answer);
    },
    open(address) {
      done.push(`open ${address}`);
      return Promise.resolve();
    },
  });
  return done;
}

test.each(['http://example.org/a?b=c', 'https://example.org/', 'mailto:a@example.org'])(
  'S2 %s is opened only after the person has seen it and said yes',
  async (url) => {
    expect(await follow(url, false)).toEqual([`ask ${url}`]);
    expect(await follow(url, true)).toEqual([`ask ${url}`, `open ${url}`]);
  },
);

test.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'smb://host/share',
  'vscode://file/x',
  'ms-msdt:/id',
  '\\\\host\\share',
  'app://vise/',
  '/relative',
  '',
])('S2 %s is neither opened nor asked about', async (url) => {
  expect(await follow(url, true)).toEqual([]);
});

test('S2 what is shown is what is opened: letters of another script stand as they are resolved', async () => {
  expect(await follow('https://exаmple.org/', true)).toEqual([
    'ask https://xn--exmple-4nf.org/',
    'open https://xn--exmple-4nf.org/',
  ]);
});
