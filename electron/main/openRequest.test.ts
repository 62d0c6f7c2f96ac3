import { describe, expect, test } from 'vitest';
import { requestOfArguments, requestOfData, requestOfLink } from './openRequest.ts';

describe.skipIf(process.platform === 'win32')('what the app is asked to open (POSIX paths)', () => {
  test.each([
    ['a packed app', ['/opt/vise/vise', 'project'], true],
    ['an unpacked one, whose first word is the folder of the app', ['/e/electron', '/app', 'project'], false],
    ['flags, which Chromium puts in front', ['/opt/vise/vise', '--no-sandbox', '--x=y', 'project'], true],
  ])('the first word of the command line is a folder, from where it was started: %s', (_name, argv, isPackaged) => {
    expect(requestOfArguments(argv, isPackaged, '/home/a')).toEqual({
      kind: 'folder',
      path: '/home/a/project',
      asks: false,
    });
  });

  test('no word asks for nothing, and a link is a link', () => {
    expect(requestOfArguments(['/opt/vise/vise'], true, '/')).toEqual({ kind: 'none' });
    expect(requestOfArguments(['/opt/vise/vise', 'vise://open?folder=/a'], true, '/')).toEqual({
      kind: 'folder',
      path: '/a',
      asks: true,
    });
  });

  test('a link names one folder by its full path, and is always asked about', () => {
    expect(requestOfLink('vise://open?folder=%2Fhome%2Fa%20b')).toEqual({
      kind: 'folder',
      path: '/home/a b',
      asks: true,
    });
    expect(requestOfLink('vise://open/?folder=/home/a/')).toEqual({ kind: 'folder', path: '/home/a/', asks: true });
  });

  test.each([
    'vise://open?folder=/home/../etc',
    'vise://open?folder=/home/./a',
    'vise://open?folder=//host/share',
    'vise://open?folder=..%2F..%2Fetc',
    'vise://open?folder=relative',
    'vise://open?folder=',
    'vise://open',
    'vise://open?folder=/a&folder=/b',
    'vise://open?folder=/a&command=rm',
    'vise://run?command=ls',
    'vise://open/extra?folder=/a',
    'vise://user@open?folder=/a',
    'vise://open?folder=/a#b',
    `vise://open?folder=/a%0Ab`,
    `vise://open?folder=/a%E2%80%AEb`,
    `vise://open?folder=/${'a'.repeat(5000)}`,
    'https://example.org/?folder=/a',
    '',
  ])('S2 the link %j is refused', (link) => {
    expect(requestOfLink(link)).toMatchObject({ kind: 'refused' });
  });

  test('what a refusal shows has nothing invisible in it', () => {
    const what = '/a\u202Eb';
    const shown = { kind: 'refused', why: 'notFull', what: '/a\uFFFDb' };
    expect(requestOfLink(`vise://open?folder=${encodeURIComponent(what)}`)).toEqual(shown);
    expect(requestOfData({ open: { ...shown, what } })).toEqual(shown);
  });

  test.each([
    [undefined, { kind: 'none' }],
    [{ open: 'x' }, { kind: 'none' }],
    [{ open: { kind: 'folder', path: 7 } }, { kind: 'none' }],
    [{ open: { kind: 'folder', path: '/a', asks: false } }, { kind: 'folder', path: '/a', asks: false }],
    [{ open: { kind: 'folder', path: '/a' } }, { kind: 'folder', path: '/a', asks: true }],
    [
      { open: { kind: 'refused', why: 'notPlain', what: '/a/..' } },
      { kind: 'refused', why: 'notPlain', what: '/a/..' },
    ],
    [{ open: { kind: 'refused', why: 'No.' } }, { kind: 'none' }],
    [{ open: { kind: 'folder', path: 'a/..', asks: false } }, { kind: 'refused', why: 'notFull', what: 'a/..' }],
  ])('what a second instance hands over is checked: %j', (data, request) => {
    expect(requestOfData(data)).toEqual(request);
  });
});
