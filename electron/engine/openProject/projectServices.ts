import { join } from 'node:path';
import type { HostRules } from '../base/hostRules.ts';
import { projectMark } from '../base/projectMark.ts';
import { createBrowser } from '../browser/createBrowser.ts';
import { browserEnvironment } from '../browser/findBrowser.ts';
import { createCache } from '../cache/createCache.ts';
import { userSocketFolder } from '../exec/host/hostSockets.ts';
import { sandboxCommand } from '../exec/sandbox/sandboxCommand.ts';
import { createSymbolIndex } from '../project/symbols/symbolIndex.ts';
import { createSymbolReader } from '../project/symbols/symbolReader.ts';
import type { ToolParts } from '../tools/all.ts';
import type { Sandbox } from '../workspace/sandbox.ts';
import type { ProjectScope } from './projectDeps.ts';

/** What the tools of one project use of the rooms below. */
export interface ProjectServices
  extends Pick<ToolParts, 'git' | 'cache' | 'browser' | 'index'>,
    Required<Pick<ToolParts, 'symbols'>> {
  /** Closes what was opened. */
  close(): Promise<void>;
}

/** Starts and opens nothing: each service does so at its first use. */
export function createProjectServices(
  { path, ports, settings, secrets, trusted }: ProjectScope,
  sandbox: Sandbox,
  hosts: HostRules,
): ProjectServices {
  const state = (service: string, ending = ''): string =>
    join(ports.places.state, service, `${projectMark(path)}${ending}`);
  const cache = createCache({
    get file() {
      return state('cache', '.db');
    },
    clock: ports.clock,
    log: ports.log,
  });
  const browser = createBrowser({
    environment: () => browserEnvironment(ports.env, settings().browser),
    secrets,
    get folder() {
      return state('browser');
    },
    sandbox,
    hosts,
  });
  const symbols = createSymbolReader();
  // Parsing takes memory: what was taken for a question is given back before it is taken for the index.
  const index = createSymbolIndex(
    {
      root: sandbox.root,
      get file() {
        return state('symbols', '.db');
      },
    },
    { beforeWork: () => symbols.rest() },
  );
  return {
    symbols,
    index,
    git: {
      environment: () => ports.env,
      secrets,
      trusted,
      protectedBranches: () => settings().git.protectedBranches,
      sandbox() {
        const { commands, network, readable, sockets } = settings().sandbox;
        if (!commands) return undefined;
        const { config, state: own } = ports.places;
        const policy = { project: sandbox.root, writable: true, network: network === true, readable, sockets };
        return (file, args, cwd) =>
          sandboxCommand(file, args, {
            ...policy,
            cwd,
            hidden: [userSocketFolder(), config, own],
            home: ports.env['HOME'],
            path: ports.env['PATH'],
          });
      },
    },
    cache,
    browser,
    async close() {
      await Promise.all([cache.dispose(), browser.dispose(), symbols.dispose(), index.dispose()]);
    },
  };
}
