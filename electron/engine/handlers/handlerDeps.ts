import { fail, ok, type Result } from '../../../shared/result.ts';
import { describeError } from '../base/log.ts';
import type { Redact } from '../base/redact.ts';
import type { ServerTokens } from '../bridge/mcp/serverTokens.ts';
import type { Hub, Workbench } from '../hub.ts';
import type { Lanes } from '../lanes/lanes.ts';
import type { OpenedProject } from '../openProject/openedProject.ts';
import type { OpenedProjects } from '../openProject/openedProjects.ts';
import type { ProjectSettings } from '../openProject/projectSettings.ts';
import type { ProjectTasks } from '../openProject/projectTasks.ts';
import type { SpecTrust } from '../openProject/specTrust.ts';
import type { UserConfig } from '../openProject/userConfig.ts';
import type { Models } from '../openSession/models.ts';
import type { OpenedSession } from '../openSession/openedSession.ts';
import type { OpenedSessions } from '../openSession/openedSessions.ts';
import type { CallTool } from '../openSession/singleCall.ts';
import type { EnginePorts } from '../ports.ts';
import type { Projects } from '../project/projects.ts';
import type { LiveSession } from '../session/openings.ts';
import type { Sessions } from '../session/sessions.ts';

/** What the methods answer for. */
export interface HandlerDeps {
  readonly ports: EnginePorts;
  readonly hub: Hub;
  readonly workbench: Workbench;
  readonly config: UserConfig;
  readonly models: Models;
  readonly projects: Projects;
  readonly settings: ProjectSettings;
  readonly specTrust: SpecTrust;
  readonly tasks: ProjectTasks;
  readonly openedProjects: OpenedProjects;
  readonly sessions: Sessions;
  readonly openedSessions: OpenedSessions;
  readonly lanes: Lanes;
  readonly redact: Redact;
  /** Of MCP servers that the person has signed in to. */
  readonly tokens: ServerTokens;
  /** One call outside a conversation. */
  readonly callTool: CallTool;
  /** Where copies of the sample project are made. */
  readonly samples: string;
  /** The settings are others: what is open takes them up. */
  readonly settingsChanged: () => void;
}

/** What the person said is acknowledged once it is on the disk. Errors: FILE_WRITE_ERROR. */
export async function whenDurable({ session }: Pick<LiveSession, 'session'>): Promise<Result<Record<string, never>>> {
  try {
    await session.durable();
    return ok({});
  } catch (error) {
    return fail('FILE_WRITE_ERROR', `It may be lost when the machine ends now: ${describeError(error)}`);
  }
}

/** Errors: those of opening the session, and of `act`. */
export async function withSession<T>(
  { sessions }: Pick<HandlerDeps, 'sessions'>,
  id: string,
  act: (live: LiveSession) => Result<T> | Promise<Result<T>>,
): Promise<Result<T>> {
  const live = await sessions.open(id);
  return live.ok ? act(live.value) : live;
}

/** The session with what its calls need. Errors: those of opening the session and its project, and of `act`. */
export function withOpenedSession<T>(
  deps: Pick<HandlerDeps, 'sessions' | 'openedSessions'>,
  id: string,
  act: (opened: OpenedSession, live: LiveSession) => Result<T> | Promise<Result<T>>,
): Promise<Result<T>> {
  return withSession(deps, id, async (live) => {
    const opened = await deps.openedSessions.open(live.session);
    return opened.ok ? act(opened.value, live) : opened;
  });
}

/** Errors: those of opening the project, and of `act`. */
export async function withProject<T>(
  { openedProjects }: Pick<HandlerDeps, 'openedProjects'>,
  path: string,
  act: (project: OpenedProject) => Result<T> | Promise<Result<T>>,
): Promise<Result<T>> {
  const project = await openedProjects.open(path);
  return project.ok ? act(project.value) : project;
}

/** The answer of a method that only does something. */
export function done(result: Result<unknown>): Result<Record<string, never>> {
  return result.ok ? ok({}) : result;
}
