import type { ContextUse } from '../../../shared/model/contextUse.ts';
import type { AskedModel } from '../../../shared/model/modelInfo.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Redact } from '../base/redact.ts';
import { recoverEdits } from '../edits/recoverEdits.ts';
import type { OpenedProjects } from '../openProject/openedProjects.ts';
import type { ProjectSettings } from '../openProject/projectSettings.ts';
import type { ProjectTasks } from '../openProject/projectTasks.ts';
import { type Agent, createAgent } from '../session/agent.ts';
import { askPerson } from '../session/callContext.ts';
import { endExternalCalls } from '../session/externalCalls.ts';
import { askedPrompt } from '../session/mentions/askedPrompt.ts';
import { readAttachments } from '../session/mentions/attachments.ts';
import type { MentionParts } from '../session/mentions/mentionParts.ts';
import type { Session } from '../session/session.ts';
import { decodeText, looksBinary } from '../workspace/textFile.ts';
import { lookForModel } from './lookForModel.ts';
import type { Models } from './models.ts';
import { type OpenedSession, type OpenSessionDeps, openSession } from './openedSession.ts';
import { createSessionTurns, type SessionTurns } from './sessionTurns.ts';
import type { Subagents } from './subagents.ts';

/** A quarter of the window, at four characters a token: the model looks for itself after that. */
const initCharsPerToken = 1;
/** Of a task that a message mentions, from its end. */
const mentionedLines = 200;

/** The sessions that are open here, each with what its calls need. */
export interface OpenedSessions {
  /** Joins a session with what drives it. */
  join(session: Session): { readonly agent: Agent; readonly recover: () => Promise<boolean> };
  of(session: string): OpenedSession | undefined;
  /** Errors: those of opening its project. */
  open(session: Session): Promise<Result<OpenedSession>>;
  /** What the next request of an open session would fill of the model's window. Errors: SESSION_NOT_FOUND, those of opening it. */
  contextUse(session: string): Promise<Result<ContextUse>>;
  /** Whom the next request of an open session would ask. Errors: SESSION_NOT_FOUND, CONFIG_INVALID. */
  askedModel(session: string): Result<AskedModel>;
  /** One question to the model of an open session, beside its conversation. Errors: SESSION_NOT_FOUND, those of `AskOnce`. */
  askOnce(session: string, system: string, text: string): Promise<Result<string>>;
  /** The category of a tool that an open session has; empty for others. */
  categoryOf(tool: string): string;
}

export interface OpenedSessionsDeps extends OpenSessionDeps {
  readonly models: Models;
  readonly settings: Pick<ProjectSettings, 'of'>;
  readonly redact: Redact;
  readonly openedProjects: OpenedProjects;
  readonly subagents: Subagents;
}

export function createOpenedSessions(deps: OpenedSessionsDeps): OpenedSessions {
  const { ports, settings, redact, openedProjects, tasks } = deps;
  const known = new Map<string, OpenedSession>();
  const agents = new Map<string, Agent>();
  const turnsOf = new Map<string, SessionTurns>();

  /** A session that was closed and opened again is another one. */
  const openedOf = (session: Session): OpenedSession | undefined => {
    const opened = known.get(session.id);
    return opened?.session === session ? opened : undefined;
  };
  const open = async (session: Session): Promise<Result<OpenedSession>> => {
    const before = openedOf(session);
    if (before) return ok(before);
    const project = await openedProjects.open(session.state.project);
    if (!project.ok) return project;
    const { interactive } = ports;
    const person = { ask: askPerson(session), permits: interactive, answersInWords: interactive };
    // Two openings at once: the first one counts, so that no question waits at a gate that nobody knows.
    const agent = (): Agent | undefined => agents.get(session.id);
    const opened = openedOf(session) ?? openSession(session, project.value, person, { ...deps, agent });
    known.set(session.id, opened);
    return ok(opened);
  };
  const material = async (session: Session, maxChars: number, replace: boolean): Promise<Result<string>> => {
    const opened = await open(session);
    if (!opened.ok) return opened;
    const look = lookForModel(opened.value);
    if (!replace && (await look.stat('PROJECT.md')).ok)
      return fail('FILE_EXISTS', 'There is a PROJECT.md already. Say that it is to be replaced.');
    const { readProject } = await import('../project/init/readProject.ts');
    return readProject(look, new AbortController().signal, maxChars);
  };

  return {
    join(session) {
      const turns = createSessionTurns({ ...deps, session, open: () => open(session) });
      turnsOf.set(session.id, turns);
      const agent = createAgent({
        session,
        log: ports.log,
        redact,
        turnDeps: turns.deps,
        maxIterations: () => settings.of(session.state.project).agent.maxIterations,
        async attach(text, attachments, signal) {
          const opened = await open(session);
          if (!opened.ok) return ok(attachments);
          const { prompts, bridge } = opened.value.project;
          const asked = await askedPrompt(prompts, text, bridge.texts.ready);
          if (!asked.ok) return asked;
          const given = asked.value ? [...attachments, asked.value.attached] : attachments;
          const all = `${text}${asked.value?.mentions ?? ''}`;
          const read = await readAttachments(mentionParts(opened.value, tasks), all, given);
          if (!read.ok) return read;
          const hooked = await opened.value.hooks.onMessage(text, signal);
          return hooked.ok ? ok([...read.value, ...hooked.value]) : hooked;
        },
        material: (replace) => material(session, turns.window() * initCharsPerToken, replace),
        ended() {
          turns.dispose();
          turnsOf.delete(session.id);
          tasks.release(session.id);
          agents.delete(session.id);
          openedOf(session)?.close();
          if (openedOf(session)) known.delete(session.id);
        },
      });
      agents.set(session.id, agent);
      return {
        agent,
        async recover() {
          const opened = await open(session);
          if (!opened.ok) return false;
          endExternalCalls(session);
          recoverEdits(session);
          await tasks.recover(session);
          return true;
        },
      };
    },
    of: (session) => known.get(session),
    contextUse: async (id) => turnsOf.get(id)?.contextUse() ?? notOpen(id),
    askOnce: async (id, system, text) => turnsOf.get(id)?.askOnce(system, text) ?? notOpen(id),
    askedModel: (id) => turnsOf.get(id)?.askedModel() ?? notOpen(id),
    open,
    categoryOf(tool) {
      for (const { project } of known.values()) {
        const found = project.toolset.find(tool);
        if (found) return found.category;
      }
      return '';
    },
  };
}

function notOpen(id: string): Result<never> {
  return fail('SESSION_NOT_FOUND', `The session ${id} is not open.`);
}

/** What mentions of a message may look at. */
function mentionParts(opened: OpenedSession, tasks: ProjectTasks): MentionParts {
  const { session, project, contents } = opened;
  return {
    look: lookForModel(opened),
    symbols: project.symbols,
    texts: project.bridge.texts.ready,
    state: session.state,
    async output(task, maxChars) {
      const executor = await tasks.executor(session.state.project);
      const [out, err] = await Promise.all(
        (['stdout', 'stderr'] as const).map((stream) =>
          executor.output(task, stream, { maxChars, tailLines: mentionedLines }),
        ),
      );
      if (!out?.ok) return out ?? ok('');
      return ok([out.value.text, err?.ok ? err.value.text : ''].filter((text) => text.trim() !== '').join('\n'));
    },
    async content(id) {
      const bytes = await contents.get(id);
      const decoded = bytes.ok && !looksBinary(bytes.value) ? decodeText(bytes.value) : undefined;
      return decoded?.ok ? decoded.value.text : undefined;
    },
  };
}
