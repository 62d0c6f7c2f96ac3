import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { checkForUpdates } from '../electron/main/updates.ts';
import { answerDialogs, type Desktop, desktopKind, dialogsOf, startDesktop } from './harness/desktop.ts';
import { productRoot } from './harness/folders.ts';
import { expect, test } from './harness/test.ts';

// The product's own way to an update, with the real updater of electron-updater, against a server of ours. It takes the
// part of an AppImage, the one form of package that is put in place without a system's installer.

test.skip(
  desktopKind !== 'the stand-in' || process.platform !== 'linux',
  'an app that takes itself for a packed AppImage needs the stand-in, on Linux',
);

const newest = Buffer.from('the newer Vise');

/** Serves one version with this content, its checksum made from `sum`. */
async function serveUpdate(version: string, content: Buffer, sum = content): Promise<Server> {
  const sha512 = createHash('sha512').update(sum).digest('base64');
  const file = `Vise-${version}.AppImage`;
  const about = [
    `version: ${version}`,
    'files:',
    `  - url: ${file}`,
    `    sha512: ${sha512}`,
    `    size: ${content.length}`,
    `path: ${file}`,
    `sha512: ${sha512}`,
    "releaseDate: '2026-11-22T00:00:00.000Z'",
  ];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path === '/latest-linux.yml') response.end(`${about.join('\n')}\n`);
    else if (path === `/${file}`) response.end(content);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

interface Trial {
  readonly desktop: Desktop;
  /** The program that runs, as the updater sees it. */
  readonly appImage: string;
  /** Looks for an update as the menu does, answering each question with the button of this index. */
  look(button: number): Promise<{ readonly said: readonly string[]; readonly ended: boolean }>;
}

async function tryUpdate(home: string, server: Server): Promise<Trial> {
  const resources = join(home, 'resources');
  const app = join(home, 'app');
  mkdirSync(resources);
  mkdirSync(join(app, 'out', 'main'), { recursive: true });
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(resources, 'app-update.yml'), `provider: generic\nurl: http://127.0.0.1:${port}\n`);
  writeFileSync(join(app, 'package.json'), '{"type": "module"}');
  const updates = join(productRoot, 'electron', 'main', 'updates.ts');
  writeFileSync(
    join(app, 'out', 'main', 'main.js'),
    `import { checkForUpdates } from ${JSON.stringify(updates)};\nObject.assign(globalThis, { checkForUpdates });\n`,
  );
  const appImage = join(home, 'Vise.AppImage');
  writeFileSync(appImage, 'the older Vise');
  const desktop = await startDesktop({
    home,
    app,
    env: { STAND_IN_PACKAGED: resources, APPIMAGE: appImage, XDG_CACHE_HOME: join(home, 'cache') },
  });
  return {
    desktop,
    appImage,
    async look(button) {
      await answerDialogs(desktop, { button });
      const ended = await desktop.evaluate(async () => {
        let hasEnded = false;
        const run = (globalThis as unknown as { readonly checkForUpdates: typeof checkForUpdates }).checkForUpdates;
        // No window is needed to be asked.
        await run(undefined as never, 'stable', () => (hasEnded = true));
        return hasEnded;
      });
      return { said: await dialogsOf(desktop), ended };
    },
  };
}

for (const { name, version, sum, button, said, ended, content } of [
  {
    name: 'a newer version is downloaded after a yes, checked, and in place when the app has ended',
    version: '9.9.9',
    button: 0,
    said: [/^Vise 9\.9\.9 is there\. \| You have 0\.1\.0\./, /^Vise 9\.9\.9 is ready\./],
    ended: true,
    content: newest.toString(),
  },
  {
    name: 'nothing is downloaded before the person says so',
    version: '9.9.9',
    button: 1,
    said: [/^Vise 9\.9\.9 is there\./],
    ended: false,
    content: 'the older Vise',
  },
  {
    name: 'a download with a changed byte is refused, and the version that runs stays',
    version: '9.9.9',
    sum: Buffer.concat([newest.subarray(1), Buffer.from('x')]),
    button: 0,
    said: [/^Vise 9\.9\.9 is there\./, /^Vise 9\.9\.9 could not be downloaded\. .*sha512/],
    ended: false,
    content: 'the older Vise',
  },
  {
    name: 'an older version is none',
    version: '0.0.9',
    button: 0,
    said: [/^Vise is up to date\. \| Version 0\.1\.0, channel Stable\./],
    ended: false,
    content: 'the older Vise',
  },
])
  test(name, async ({ home }) => {
    const server = await serveUpdate(version, newest, sum);
    const { desktop, appImage, look } = await tryUpdate(home, server);
    try {
      const looked = await look(button);
      expect(looked.said.length, looked.said.join('\n')).toBe(said.length);
      for (const [at, pattern] of said.entries()) expect(looked.said[at]).toMatch(pattern);
      expect(looked.ended).toBe(ended);
      await desktop.evaluate(({ app }) => void setTimeout(() => app.quit(), 0));
      await desktop.exited;
      expect(readFileSync(appImage, 'utf8')).toBe(content);
    } finally {
      await desktop.end();
      server.close();
    }
  });
