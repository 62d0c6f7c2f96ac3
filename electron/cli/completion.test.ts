import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { main } from './main.ts';
import { createTestIo } from './testing/testIo.ts';

async function script(...words: readonly string[]) {
  const io = createTestIo(tmpdir());
  const code = await main(['completion', ...words], io);
  return { code, ...io.printed };
}

/** What bash offers behind these words; the last one is being typed. */
function offered(made: string, ...words: readonly string[]): readonly string[] {
  const line = ['vise', ...words].map((word) => `'${word}'`).join(' ');
  const run = spawnSync(
    'bash',
    [
      '--noprofile',
      '--norc',
      '-c',
      `${made}\nCOMP_WORDS=(${line}) COMP_CWORD=${words.length}\n_vise\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    { encoding: 'utf8' },
  );
  expect(run.stderr).toBe('');
  return run.stdout.split('\n').filter((word) => word !== '');
}

test('bash completes commands, what they can be told, their flags, and the values of flags', async () => {
  const { code, out } = await script('bash');
  expect(code).toBe(0);
  expect(offered(out, '')).toEqual(commands.map(({ name }) => name));
  expect(offered(out, 'ex')).toEqual(['exec']);
  expect(offered(out, 'sessions', 'de')).toEqual(['delete']);
  expect(offered(out, 'exec', '--mod')).toEqual(['--model', '--mode']);
  expect(offered(out, 'exec', '--allow', '')).toEqual(['none', 'moderate', 'dangerous']);
});

test.each(['bash', 'zsh', 'fish', 'powershell'])(
  'the script for %s knows each command and each flag',
  async (shell) => {
    const { out } = await script(shell);
    for (const { name, flags } of commands) {
      expect(out).toContain(name);
      for (const flag of flags) expect(out).toContain(shell === 'fish' ? `-l ${flag.name}` : `--${flag.name}`);
    }
  },
);

test('a shell that is not known is refused with those that are', async () => {
  expect(await script('tcsh')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('bash, zsh, fish, powershell'),
  });
  expect(await script()).toMatchObject({ code: 2 });
});
