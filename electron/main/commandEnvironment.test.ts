import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { commandEnvironment } from './commandEnvironment.ts';

/** A folder for what is kept, and a login shell whose profile is this text. */
function withProfile(profile: string): { readonly userData: string; readonly own: Record<string, string> } {
  const userData = mkdtempSync(join(tmpdir(), 'vise-login-'));
  onTestFinished(() => rmSync(userData, { recursive: true, force: true }));
  const shell = join(userData, 'shell');
  writeFileSync(shell, `#!/bin/sh\n[ "$1" = -ilc ] || exit 9\n${profile}\nexec /bin/sh -c "$2"\n`);
  chmodSync(shell, 0o755);
  return { userData, own: { PATH: '/usr/bin:/bin', HOME: userData, SHELL: shell } };
}

const unexpected = { warn: (what: string, error?: unknown) => expect.unreachable(`${what} ${String(error)}`) };

test.skipIf(process.platform === 'win32')(
  'an app that a desktop started takes the PATH of the login shell, and keeps it alone',
  async () => {
    const { userData, own } = withProfile('echo Welcome; export PATH="/profile/bin:$PATH" NPM_TOKEN=secret');
    const first = commandEnvironment({ userData, log: unexpected, own });
    expect(first.environment['PATH']).toBe('/usr/bin:/bin');
    await vi.waitFor(() => expect(first.environment['PATH']).toBe('/profile/bin:/usr/bin:/bin'), 20_000);
    expect(first.environment['NPM_TOKEN']).toBe('secret');
    expect(first.environment).not.toHaveProperty('ELECTRON_RUN_AS_NODE');
    const file = join(userData, 'loginPath.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ path: '/profile/bin:/usr/bin:/bin' });
    expect(statSync(file).mode & 0o077).toBe(0);

    // The next start has it at once, before the shell has answered.
    const second = commandEnvironment({ userData, log: { warn: () => undefined }, own });
    expect(second.environment['PATH']).toBe('/profile/bin:/usr/bin:/bin');
    second.settled.abort();
  },
);

test.skipIf(process.platform === 'win32')('a profile that waits for somebody is ended when the app ends', async () => {
  const { userData, own } = withProfile('echo $$ > "$HOME/pid"; sleep 600');
  const { environment, settled } = commandEnvironment({ userData, log: unexpected, own });
  const pid = await vi.waitFor(() => {
    const text = readFileSync(join(userData, 'pid'), 'utf8');
    expect(text).toMatch(/^\d+\n$/); // it is there before it is written
    return Number(text);
  }, 20_000);
  settled.abort();
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 20_000);
  expect(environment['PATH']).toBe('/usr/bin:/bin');
});

test('started from a terminal it has run the profile already', () => {
  const { userData, own } = withProfile('exit 1');
  const { environment } = commandEnvironment({ userData, log: unexpected, own: { ...own, TERM: 'xterm' } });
  expect(environment).toEqual({ ...own, TERM: 'xterm' });
});
