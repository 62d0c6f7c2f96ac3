import { test as base } from '@playwright/test';
import { makeFolder, removeFolder, type Tree, writeTree } from './folders.ts';
import { type Finished, runProgram } from './program.ts';
import { type Server, startServer } from './server.ts';

/** What an end-to-end test is given; all of it is ended and removed after the test, whatever happened. */
interface Fixtures {
  /** Home, settings and state of the product under test. */
  readonly home: string;
  /** Makes a project folder with these files. */
  readonly makeProject: (tree: Tree) => string;
  /** Starts the loopback host. Several may run; each is stopped at the end and must leave nothing behind. */
  readonly serve: (options?: {
    readonly project?: string;
    readonly args?: readonly string[];
    readonly env?: NodeJS.ProcessEnv;
  }) => Promise<Server>;
  /** Runs `vise` to its end, in `home` unless `cwd` says otherwise. */
  readonly vise: (
    args: readonly string[],
    options?: {
      readonly cwd?: string;
      readonly env?: NodeJS.ProcessEnv;
      readonly stdin?: string;
      readonly limitMs?: number;
    },
  ) => Promise<Finished>;
}

export const test = base.extend<Fixtures>({
  home: async ({}, use) => {
    const home = makeFolder('home');
    await use(home);
    removeFolder(home);
  },
  makeProject: async ({}, use) => {
    const made: string[] = [];
    await use((tree) => {
      const folder = makeFolder('project');
      made.push(folder);
      writeTree(folder, tree);
      return folder;
    });
    made.forEach(removeFolder);
  },
  // It asks for makeProject so that the servers end before their projects are removed.
  serve: async ({ home, makeProject: _ }, use) => {
    const servers: Server[] = [];
    await use(async (options = {}) => {
      const server = await startServer({ home, ...options });
      servers.push(server);
      return server;
    });
    const results = await Promise.allSettled(servers.map((server) => server.stop()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  },
  vise: async ({ home }, use) => {
    await use((args, options = {}) => runProgram(args, { home, cwd: home, ...options }));
  },
  // An error that nobody caught in the page fails the test, whatever the test looks at.
  page: async ({ page }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await use(page);
    base.expect(errors).toEqual([]);
  },
});

export const { expect } = base;
