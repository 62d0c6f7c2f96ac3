import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installCommand } from './installCommand.ts';

const command = '/opt/Vise/resources/bin/vise';

function homeFor(): string {
  const home = mkdtempSync(join(tmpdir(), 'vise-install-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

test.skipIf(process.platform === 'win32')('the command is linked, and linked anew after the app has moved', () => {
  const home = homeFor();
  const place = join(home, '.local', 'bin', 'vise');
  const options = { platform: 'linux', env: { PATH: join(home, '.local', 'bin') }, home } as const;
  expect(installCommand({ ...options, command: '/old/bin/vise' })).toBe(`The command is installed as ${place}.`);
  expect(installCommand({ ...options, command })).toBe(`The command is installed as ${place}.`);
  expect(readlinkSync(place)).toBe(command);
  expect(installCommand({ ...options, env: {}, command })).toContain('to PATH');
});

test("another program of that name stays as it is, and an AppImage's command is not linked", () => {
  const home = homeFor();
  const place = join(home, '.local', 'bin', 'vise');
  mkdirSync(join(home, '.local', 'bin'), { recursive: true });
  writeFileSync(place, 'mine');
  expect(installCommand({ platform: 'linux', env: {}, command, home })).toContain('is something else');
  expect(readFileSync(place, 'utf8')).toBe('mine');
  expect(installCommand({ platform: 'linux', env: { APPIMAGE: '/a/Vise.AppImage' }, command, home })).toContain(
    'mounted',
  );
});

test('on Windows a small script calls the packed one', () => {
  const home = homeFor();
  installCommand({ platform: 'win32', env: { LOCALAPPDATA: home }, command: 'C:\\Vise\\vise.cmd', home });
  const place = join(home, 'Microsoft', 'WindowsApps', 'vise.cmd');
  expect(readFileSync(place, 'utf8')).toBe('@"C:\\Vise\\vise.cmd" %*\r\n');
});
