import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './project.mjs';
import { notesOf, placeholder, problemOf } from './release.ts';

const changelog =
  '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.0 (2026-01-02)\n\n- old\n\n## 1.2.0-beta\n\n- older\n';

test('the notes of a release are its section of the changelog', () => {
  expect(notesOf(changelog, '1.2.0')).toBe('- old');
  expect(notesOf(changelog, 'Unreleased')).toBe('- new');
  expect(notesOf(changelog, '1.2')).toBeUndefined();
});

test.each([
  ['v1.2.0', '1.2.0', 'abc, 2026-01-02', undefined],
  ['v1.3.0', '1.2.0', 'abc, 2026-01-02', 'The tag v1.3.0 is not v1.2.0, the version of package.json.'],
  ['v1.3.0', '1.3.0', 'abc, 2026-01-02', 'CHANGELOG.md has no section "## 1.3.0": give what is Unreleased that name.'],
  ['v1.2.0', '1.2.0', 'abc, 2026-01-02, changed', 'Files differ from the commit.'],
  [undefined, '1.2.0', 'abc, 2026-01-02, changed', undefined],
])('the tag %s of version %s, built of %s: %s', (tag, version, mark, problem) => {
  expect(problemOf(tag, { version, changelog, mark, about: '{}' })).toBe(problem);
});

test('addresses that there are not yet stand in one place, and hold up a release but no trial of it', () => {
  const given = {
    version: '1.2.0',
    changelog,
    mark: 'abc, 2026-01-02',
    about: `{"homepage": "https://${placeholder}"}`,
  };
  expect(problemOf('v1.2.0', given)).toMatch(/^package\.json names .*, which is nobody's: /);
  expect(problemOf(undefined, given)).toBeUndefined();
  const words = ['grep', '-lI', '--fixed-strings', placeholder, '--', '.', ':!docs/desktop.md', ':!.setup/release*'];
  const files = execFileSync('git', words, { cwd: join(import.meta.dirname, '..'), encoding: 'utf8' });
  // The second is how to clone; its example runs in a test.
  expect(files.trim().split('\n')).toEqual(['docs/start.md', 'package.json']);
});

test.skipIf(process.platform === 'win32')(
  'the workflow publishes with its key, to the registry that npm asks as usual',
  async () => {
    const workflow = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8');
    const [authenticate = '', publish = ''] = [...workflow.matchAll(/run: (npm (?:config set|publish) .*)/g)].map(
      ([, line = '']) => line,
    );
    const folder = mkdtempSync(join(tmpdir(), 'vise-publish-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const seen: string[] = [];
    const registry = createServer((request, response) => {
      request.resume();
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(request.method === 'PUT' ? 201 : 404, { 'content-type': 'application/json' }).end('{}');
    });
    onTestFinished(() => void registry.close());
    const { promise, resolve } = Promise.withResolvers<void>();
    registry.listen(0, '127.0.0.1', resolve);
    await promise;
    mkdirSync(join(folder, 'made'));
    const own = { name: 'vise', version: '1.0.0' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
      npm_config_update_notifier: 'false',
      NODE_AUTH_TOKEN: 'a-key',
    };
    // Only a workflow can show where it was made.
    const lines = ['npm pack --pack-destination made', authenticate, publish.replace(' --provenance', '')];
    const child = spawn('/bin/sh', ['-ec', lines.join('\n')], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => void (said += text.toString()));
    const code = await new Promise((ended) => child.on('close', ended));
    expect(code, said).toBe(0);
    expect(seen.at(-1)).toBe('PUT /vise Bearer a-key');
  },
);
