import { join } from 'node:path';
import type { ContextUse } from '../../../shared/model/contextUse.ts';
import type { Level } from '../../../shared/model/level.ts';
import { covers } from '../../../shared/model/level.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isoTime } from '../base/clock.ts';
import type { Redact } from '../base/redact.ts';
import { createCallStages } from '../edits/callStages.ts';
import { recoverEdits } from '../edits/recoverEdits.ts';
import type { OpenedProjects } from '../openProject/openedProjects.ts';
import type { ProjectSettings } from '../openProject/projectSettings.ts';
import type { ProjectTasks } from '../openProject/projectTasks.ts';
import { createGate } from '../permission/gate.ts';
import type { EnginePorts } from '../ports.ts';
import { type Agent, createAgent } from '../session/agent.ts';
import { askPerson } from '../session/callContext.ts';
import { endExternalCalls } from '../session/externalCalls.ts';
import { readAttachments } from '../session/mentions/attachments.ts';
import type { MentionParts } from '../session/mentions/mentionParts.ts';
import { createQuestions } from '../session/questions.ts';
import type { Session } from '../session/session.ts';
import { createContents } from '../workspace/contents.ts';
import { createFileHands } from '../workspace/hands.ts';
import { decodeText, looksBinary } from '../workspace/textFile.ts';
import type { Models } from './models.ts';
import type { OpenedSession } from './openedSession.ts';
import { createSessionTurns, type SessionTurns } from './sessionTurns.ts';

/** Half of the window, at four characters a token. */
const initCharsPerToken = 2;
/** Of a task that a message mentions, from its end. */
const mentionedLines = 200;

export interface OpenedSessions {
  join(session: Session): { readonly agent: Agent; readonly recover: () => Promise<void> };
  of(session: string): OpenedSession | undefined;
  open(session: Session): Promise<Result<OpenedSession>>;
  /** What the next request of an open session would fill of the model's window. Errors: SESSION_NOT_FOUND, those of opening it. */
  contextUse(session: string): Promise<Result<ContextUse>>;
  /** The category of a tool that an open session has; empty for others. */
  categoryOf(tool: string): string;
}

export interface OpenedSessionsDeps {
  readonly ports: EnginePorts;
  readonly models: Models;
  readonly settings: Pick<ProjectSettings, 'of'>;
  readonly redact: Redact;
  readonly store: OpenedProjects;
  readonly tasks: ProjectTasks;
}

export function createOpenedSessions({
  ports,
  settings,
  redact,
  models,
  store,
  tasks,
}: OpenedSessionsDeps): OpenedSessions {
  const { clock, log } = ports;
  const doors = new Map<string, OpenedSession>();
  const turnsOf = new Map<string, SessionTurns>();

  const open = async (session: Session): Promise<Result<OpenedSession>> => {
    const known = doors.get(session.id);
    if (known) return ok(known);
    const project = await store.open(session.state.project);
    if (!project.ok) return project;
    const contents = createContents({ folder: join(session.folder, 'contents') });
    const hands = createFileHands({ sandbox: project.value.sandbox, contents });
    const stages = createCallStages(hands, session.emit);
    const ask = askPerson(session);
    const put: typeof ask = (call, approval) => {
      ask(call, approval);
      stages.ask(call.id);
    };
    const gate = createGate({
      ask: put,
      rules: () => project.value.rules(),
      save: (rule) => project.value.ruleStore.save(rule),
      allow: (): Level =>
        project.value.allowed(covers(session.state.allow, ports.allow) ? session.state.allow : ports.allow),
      interactive: () => ports.interactive,
      context: project.value.ruleContext,
      now: () => isoTime(clock),
      always: 'project',
      timed: project.value.timed,
      granted: session.state.grants,
      onGrants: ({ tools, rules }) => session.emit({ type: 'permission.granted', tools, rules }),
    });
    const questions = createQuestions({ clock, put, interactive: ports.interactive, given: ports.answer });
    const door: OpenedSession = { gate, questions, stages, contents, hands, project: project.value };
    // Two openings at once: the first one counts, so that no question waits behind a door nobody knows.
    const first = doors.get(session.id) ?? door;
    doors.set(session.id, first);
    return ok(first);
  };

  const mentionParts = (session: Session, { project, contents }: OpenedSession): MentionParts => ({
    look: project.look,
    symbols: project.symbols,
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
  });

  return {
    join(session) {
      const turns = createSessionTurns({ ports, models, tasks, session, door: () => open(session) });
      turnsOf.set(session.id, turns);
      const agent = createAgent({
        session,
        log,
        redact,
        turnDeps: turns.parts,
        maxIterations: () => settings.of(session.state.project).agent.maxIterations,
        async attach(text, attachments) {
          const door = await open(session);
          return door.ok ? readAttachments(mentionParts(session, door.value), text, attachments) : ok(attachments);
        },
        async material(replace) {
          const door = await open(session);
          if (!door.ok) return door;
          const { look } = door.value.project;
          if (!replace && (await look.stat('PROJECT.md')).ok)
            return fail('FILE_EXISTS', 'There is a PROJECT.md already. Say that it is to be replaced.');
          const { readProject } = await import('../project/init/readProject.ts');
          return readProject(look, new AbortController().signal, turns.window() * initCharsPerToken);
        },
        ended() {
          turns.dispose();
          turnsOf.delete(session.id);
        },
      });
      return {
        agent,
        async recover() {
          const door = await open(session);
          endExternalCalls(session);
          if (door.ok) await recoverEdits(session, door.value.hands, door.value.project.look);
          await tasks.recover(session);
        },
      };
    },
    of: (session) => doors.get(session),
    contextUse: async (id) =>
      turnsOf.get(id)?.contextUse() ?? fail('SESSION_NOT_FOUND', `The session ${id} is not open.`),
    open,
    categoryOf(tool) {
      for (const { project } of doors.values()) {
        const found = project.toolset.find(tool);
        if (found) return found.category;
      }
      return '';
    },
  };
}
