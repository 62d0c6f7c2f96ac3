import type { Settings } from '../../../shared/model/settings.ts';
import type { Trust } from '../../../shared/model/workbench.ts';
import type { Result } from '../../../shared/result.ts';
import type { Redact } from '../base/redact.ts';
import type { ServerTokens } from '../bridge/mcp/serverTokens.ts';
import type { Threads } from '../bridge/pseudoCli/threads.ts';
import type { EnginePorts } from '../ports.ts';
import type { LanePort } from '../tools/project/bringHome.ts';
import type { TaskPort } from '../tools/shell/taskPort.ts';
import type { ProjectSettings } from './projectSettings.ts';
import type { ProjectTasks } from './projectTasks.ts';
import type { SpecTrust } from './specTrust.ts';

/** What projects are opened with. */
export interface ProjectDeps {
  readonly ports: EnginePorts;
  readonly settings: ProjectSettings;
  readonly tasks: Pick<ProjectTasks, 'port'>;
  /** Provider keys, which no other program may see. */
  readonly secrets: () => readonly string[];
  /** Asked anew each time: trust is bound to content. */
  readonly trustOf: (project: string) => Promise<Trust>;
  /** What the person said of single specs of a project. */
  readonly specTrust: SpecTrust;
  /** Of the user's configuration, as it stands there. */
  readonly userConfig: (key: 'mcpServers' | 'hooks') => unknown;
  /** Adds or replaces one of its servers. */
  readonly configureServer: (name: string, config: unknown) => Result<void>;
  /** Those of MCP servers that the person has signed in to. */
  readonly tokens: ServerTokens;
  readonly redact: Redact;
  /** The sessions of a project. */
  readonly threads: (project: string) => Threads;
  readonly lanes: (project: string) => LanePort;
  /** Whether Vise made this folder as a lane of a project. */
  readonly isLane: (project: string) => boolean;
}

/** The same for one project. */
export interface ProjectScope
  extends Pick<
    ProjectDeps,
    'ports' | 'secrets' | 'specTrust' | 'userConfig' | 'configureServer' | 'tokens' | 'redact'
  > {
  /** The real path of the project. */
  readonly path: string;
  readonly settings: () => Settings;
  /** Whether the project is trusted with its content as it is now. */
  readonly trusted: () => Promise<boolean>;
  /** Where the programs of calls run. */
  readonly tasks: TaskPort;
  readonly threads: () => Threads;
  readonly lanes: () => LanePort;
}

export function projectScope(deps: ProjectDeps, path: string): ProjectScope {
  return {
    ...deps,
    path,
    settings: () => deps.settings.of(path),
    trusted: async () => (await deps.trustOf(path)) === 'trusted',
    tasks: deps.tasks.port(path),
    threads: () => deps.threads(path),
    lanes: () => deps.lanes(path),
  };
}
