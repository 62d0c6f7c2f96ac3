import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fail, ok } from '../../../shared/result.ts';
import { findKeychain, type Keychain } from './keychain.ts';
import { createSecrets } from './secrets.ts';

function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vise-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A keychain that several programs share; `locked` while it cannot be read. */
function sharedKeychain() {
  const state = { text: '', locked: false, forgets: false, reads: 0 };
  const read = () => {
    state.reads += 1;
    return state.locked ? fail('UNAVAILABLE', 'secret-tool: it is locked') : ok(state.text);
  };
  const keychain: Keychain = {
    read,
    readLater: () => Promise.resolve(read()),
    write(text) {
      if (state.locked) return fail('UNAVAILABLE', 'secret-tool: it is locked');
      if (!state.forgets) state.text = text;
      return ok('');
    },
  };
  return { state, keychain };
}

describe('S5: keys in the keychain', () => {
  test('S5 what the window saves is what the command line reads, and the other way round', () => {
    const folder = testFolder();
    const { keychain } = sharedKeychain();
    const [window, line] = [createSecrets(folder, keychain), createSecrets(folder, keychain)];
    window.set('openai', 'sk-one');
    expect([line.get('openai'), line.place.kept]).toEqual(['sk-one', 'keychain']);
    line.set('openai', 'sk-two');
    line.set('anthropic', 'sk-three');
    expect([window.get('openai'), window.get('anthropic')]).toEqual(['sk-two', 'sk-three']);
    line.delete('openai');
    expect([window.get('openai'), window.get('anthropic')]).toEqual([undefined, 'sk-three']);
    expect(existsSync(join(folder, 'keys.json'))).toBe(false);
    expect(readFileSync(join(folder, 'keychain.json'), 'utf8')).not.toContain('sk-');
  });

  test('S5 a key that is given again leaves the file; the other keys of the file go on', () => {
    const folder = testFolder();
    const before = createSecrets(folder);
    before.set('openai', 'sk-file');
    before.set('groq', 'gsk');
    const { keychain } = sharedKeychain();
    const now = createSecrets(folder, keychain);
    expect([now.get('openai'), now.get('groq')]).toEqual(['sk-file', 'gsk']);
    now.set('openai', 'sk-new');
    expect(JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'))).toEqual({ groq: 'gsk' });
    expect([now.get('openai'), now.get('groq')]).toEqual(['sk-new', 'gsk']);
  });

  test.each([
    ['refuses', { locked: true }],
    ['says yes and keeps nothing', { forgets: true }],
  ])(
    'S5 where the keychain %s, the key lies in the file that only its owner can read, and that is said',
    (_what, how) => {
      const folder = testFolder();
      const { keychain, state } = sharedKeychain();
      Object.assign(state, how);
      const secrets = createSecrets(folder, keychain);
      secrets.set('openai', 'sk-one');
      expect(secrets.place).toEqual({ kept: 'file', path: join(folder, 'keys.json') });
      expect(createSecrets(folder).get('openai')).toBe('sk-one');
    },
  );

  test('a key in a keychain that is not reached is told with what to do, and none of the others is lost', () => {
    const folder = testFolder();
    const { keychain, state } = sharedKeychain();
    createSecrets(folder, keychain).set('openai', 'sk-one');
    state.locked = true;
    const locked = createSecrets(folder, keychain);
    expect([locked.get('openai'), locked.problem('groq')]).toEqual([undefined, undefined]);
    expect(locked.problem('openai')).toMatch(
      /keychain \(secret-tool: it is locked\)\. Unlock it, or .*--api-key-stdin/,
    );
    locked.set('groq', 'gsk');
    expect(createSecrets(folder).problem('openai')).toMatch(/not reached from here/);
    state.locked = false;
    const again = createSecrets(folder, keychain);
    expect([again.get('openai'), again.get('groq'), again.problem('openai')]).toEqual(['sk-one', 'gsk', undefined]);
  });

  test('it is asked once for all keys, not at all where it has none, and beforehand where nothing may wait', async () => {
    const folder = testFolder();
    const { keychain, state } = sharedKeychain();
    const first = createSecrets(folder, keychain);
    expect([first.get('openai'), state.reads]).toEqual([undefined, 0]);
    first.set('openai', 'sk-one');
    first.set('groq', 'gsk');
    state.reads = 0;
    const line = createSecrets(folder, keychain);
    expect([line.get('openai'), line.get('groq'), line.get('mistral'), state.reads]).toEqual([
      'sk-one',
      'gsk',
      undefined,
      1,
    ]);
    const window = createSecrets(folder, keychain);
    const opened = window.open();
    // While a person is asked for its password, nothing waits for that.
    expect(window.get('openai')).toBeUndefined();
    await opened;
    expect([window.get('openai'), state.reads]).toEqual(['sk-one', 2]);
  });
});

describe.skipIf(process.platform === 'win32')('the program of a keychain', () => {
  /** A `secret-tool` that keeps the entry in a file. */
  function fakeTool(script = '[ "$1" = store ] && exec cat > "$0.kept"; cat "$0.kept" 2>/dev/null || exit 1') {
    const folder = testFolder();
    const program = join(folder, 'secret-tool');
    writeFileSync(program, `#!/bin/sh\necho "$@" >> "$0.called"\n${script}\n`);
    chmodSync(program, 0o755);
    const env = { PATH: `${folder}:/usr/bin:/bin`, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none' };
    return { program, env, called: () => readFileSync(`${program}.called`, 'utf8') };
  }

  test('S5 keeps and gives keys, which never stand among its arguments', async () => {
    const folder = testFolder();
    const { env, called } = fakeTool();
    createSecrets(folder, findKeychain(folder, env, 'linux')).set('openai', 'sk-secret');
    const line = createSecrets(folder, findKeychain(folder, env, 'linux'));
    expect(line.get('openai')).toBe('sk-secret');
    const window = createSecrets(folder, findKeychain(folder, env, 'linux'));
    await window.open();
    expect(window.get('openai')).toBe('sk-secret');
    expect(called()).toMatch(/^store --label=Vise service vise account \S+\nlookup service vise account \S+\n/);
    expect(called()).not.toContain(Buffer.from('sk-secret').toString('base64').slice(0, 8));
  });

  test('that fails is told by its own words; one that is gone by the system’s', async () => {
    const { env, program } = fakeTool('echo "Cannot autolaunch D-Bus" >&2; exit 1');
    const keychain = findKeychain('a', env, 'linux');
    const message = expect.stringContaining('secret-tool: Cannot autolaunch D-Bus') as string;
    expect(keychain?.write('x')).toMatchObject({ ok: false, error: { message } });
    expect(await keychain?.readLater('')).toMatchObject({ ok: false, error: { message } });
    rmSync(program);
    expect(keychain?.read('')).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
    expect(await keychain?.readLater('')).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  });

  test('is looked for only where somebody can answer, and by no instance of its own', () => {
    const { env } = fakeTool();
    expect(findKeychain('a', env, 'linux')).toBeDefined();
    expect(findKeychain('a', { ...env, DBUS_SESSION_BUS_ADDRESS: undefined }, 'linux')).toBeUndefined();
    expect(findKeychain('a', { ...env, PATH: '/none' }, 'linux')).toBeUndefined();
    expect(findKeychain('a', { ...env, VISE_HOME: '/x' }, 'linux')).toBeUndefined();
    expect(findKeychain('a', { VISE_HOME: '/x' }, 'darwin')).toBeUndefined();
    expect(findKeychain('a', {}, 'darwin')).toBeDefined();
  });
});
