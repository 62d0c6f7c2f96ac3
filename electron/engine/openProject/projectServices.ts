import { join } from 'node:path';
import type { Trust } from '../../../shared/model/workbench.ts';
import type { Result } from '../../../shared/result.ts';
import type { HostRules } from '../base/hostRules.ts';
import { projectMark } from '../base/projectMark.ts';
import type { Threads } from '../bridge/pseudoCli/threads.ts';
import { createBrowser } from '../browser/createBrowser.ts';
import { browserEnvironment } from '../browser/findBrowser.ts';
import { createCache } from '../cache/createCache.ts';
import type { EnginePorts } from '../ports.ts';
import { createSymbolIndex } from '../project/symbols/symbolIndex.ts';
import { createSymbolReader } from '../project/symbols/symbolReader.ts';
import type { ToolParts } from '../tools/all.ts';
import type { Sandbox } from '../workspace/sandbox.ts';
import type { ProjectSettings } from './projectSettings.ts';
import type { SpecTrust } from './specTrust.ts';

/** What the tools of one project borrow of the rooms below. */
export interface ProjectServices
  extends Pick<ToolParts, 'git' | 'cache' | 'browser' | 'index'>,
    Required<Pick<ToolParts, 'symbols'>> {
  /** Closes what was opened. */
  close(): Promise<void>;
}

export interface ProjectDeps {
  readonly ports: EnginePorts;
  readonly settings: ProjectSettings;
  /** Provider keys, which no other program may see. */
  readonly secrets: () => readonly string[];
  /** Asked anew each time: trust is bound to content. */
  readonly trustOf: (project: string) => Promise<Trust>;
  /** What the person said of single specs of a project. */
  readonly specTrust: SpecTrust;
  /** `mcpServers` of the user's configuration, as it stands there. */
  readonly userServers: () => unknown;
  /** Adds or replaces one of them. */
  readonly configureServer: (name: string, config: unknown) => Result<void>;
  /** The sessions of a project. */
  readonly threads: (project: string) => Threads;
}

/** Starts and opens nothing: each room does so at its first use. */
export function createProjectServices(
  project: string,
  sandbox: Sandbox,
  { ports, settings, secrets, trustOf }: ProjectDeps,
  hosts: HostRules,
): ProjectServices {
  const state = (room: string, ending = ''): string =>
    join(ports.places.state, room, `${projectMark(project)}${ending}`);
  const cache = createCache({
    get file() {
      return state('cache', '.db');
    },
    clock: ports.clock,
    log: ports.log,
  });
  const browser = createBrowser({
    environment: () => browserEnvironment(ports.env, settings.of(project).browser),
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
      trusted: async () => (await trustOf(project)) === 'trusted',
      protectedBranches: () => settings.of(project).git.protectedBranches,
    },
    cache,
    browser,
    async close() {
      await Promise.all([cache.dispose(), browser.dispose(), symbols.dispose(), index.dispose()]);
    },
  };
}
