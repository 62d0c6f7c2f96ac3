import { join } from 'node:path';
import type { Level } from '../../shared/model/level.ts';
import { covers } from '../../shared/model/level.ts';
import { itemsOf } from '../../shared/model/timeline.ts';
import { ok, type Result } from '../../shared/result.ts';
import { isoTime } from './base/clock.ts';
import type { Models } from './models.ts';
import { createGate, type Gate } from './permission/gate.ts';
import type { EnginePorts } from './ports.ts';
import type { ProjectParts } from './projectParts.ts';
import type { ProjectStore } from './projectStore.ts';
import { type Agent, createAgent } from './session/agent.ts';
import { type Arrivals, createArrivals } from './session/arrivals.ts';
import { askPerson, createCallContext } from './session/callContext.ts';
import { createHistory } from './session/history.ts';
import { createQuestions, type Questions } from './session/questions.ts';
import { recoverSession } from './session/recoverSession.ts';
import { createRequestBuilder } from './session/requestBuilder.ts';
import type { TurnParts } from './session/runTurn.ts';
import type { Session } from './session/session.ts';
import type { TaskRoom } from './taskRoom.ts';
import type { UserConfig } from './userConfig.ts';
import { type Contents, createContents } from './workspace/contents.ts';
import { createFileHands, type FileHands } from './workspace/hands.ts';

/** What an open session has of its own: where its calls wait, and the only hands that write for it. */
export interface SessionDoor {
  readonly gate: Gate;
  readonly questions: Questions;
  readonly arrivals: Arrivals;
  readonly contents: Contents;
  readonly hands: FileHands;
  readonly project: ProjectParts;
}

export interface SessionDoors {
  join(session: Session): { readonly agent: Agent; readonly recover: () => Promise<void> };
  of(session: string): SessionDoor | undefined;
  open(session: Session): Promise<Result<SessionDoor>>;
  /** The category of a tool that an open session has; empty for others. */
  categoryOf(tool: string): string;
}

export interface SessionDoorsParts {
  readonly ports: EnginePorts;
  readonly config: UserConfig;
  readonly models: Models;
  readonly store: ProjectStore;
  readonly tasks: TaskRoom;
}

export function createSessionDoors({ ports, config, models, store, tasks }: SessionDoorsParts): SessionDoors {
  const { clock, log } = ports;
  const doors = new Map<string, SessionDoor>();

  const open = async (session: Session): Promise<Result<SessionDoor>> => {
    const known = doors.get(session.id);
    if (known) return ok(known);
    const project = await store.open(session.state.project);
    if (!project.ok) return project;
    const contents = createContents({ folder: join(session.folder, 'contents') });
    const hands = createFileHands({ sandbox: project.value.sandbox, contents });
    const arrivals = createArrivals();
    const ask = askPerson(session);
    const put: typeof ask = (call, approval) => {
      ask(call, approval);
      arrivals.arrive(call.id);
    };
    const gate = createGate({
      ask: put,
      rules: () => project.value.rules(),
      save: (rule) => project.value.ruleStore.save(rule),
      allow: (): Level => (covers(session.state.allow, ports.allow) ? session.state.allow : ports.allow),
      interactive: () => ports.interactive,
      ground: project.value.ground,
      now: () => isoTime(clock),
      always: 'project',
      granted: session.state.grants,
      onGrants: ({ tools, rules }) => session.emit({ type: 'permission.granted', tools, rules }),
    });
    const questions = createQuestions({ clock, put, interactive: ports.interactive, given: ports.answer });
    const door: SessionDoor = { gate, questions, arrivals, contents, hands, project: project.value };
    // Two openings at once: the first one counts, so that no question waits behind a door nobody knows.
    const first = doors.get(session.id) ?? door;
    doors.set(session.id, first);
    return ok(first);
  };

  const turnParts = async (
    session: Session,
    build: Map<string, TurnParts['buildRequest']>,
    turn: string,
  ): Promise<TurnParts> => {
    const door = await open(session);
    if (!door.ok) throw new Error(door.error.message);
    const { gate, questions, hands, project } = door.value;
    let request = build.get(session.id);
    if (!request) {
      const images = new Map<string, string>();
      const builder = createRequestBuilder({
        toolset: project.toolset,
        history: createHistory({ resultChars: config.settings.agent.resultChars, readImage: (id) => images.get(id) }),
        rulesFiles: project.rulesFiles,
        described: () => new Set(),
      });
      request = async () => {
        await readImages(session, door.value.contents, images);
        return builder(session.state);
      };
      build.set(session.id, request);
    }
    return {
      session,
      clock,
      settings: () => config.settings,
      model: clientFor(session),
      buildRequest: request,
      context: createCallContext({
        session,
        turn,
        toolset: project.toolset,
        look: project.look,
        fileHands: hands,
        gate,
        questions,
        finished: door.value.arrivals.end,
        log,
        runCommand: (command, call) => tasks.run(session, command, call),
      }),
    };
  };

  /** One client while provider and model stay the same: connections and what was learnt of the server are kept. */
  const clientFor = (session: Session): TurnParts['model'] => {
    let key = '';
    let client: ReturnType<Models['client']> | undefined;
    return () => {
      const { provider, model, project } = session.state;
      const now = `${provider}\n${model}`;
      if (client && key === now) return client;
      key = now;
      const isSample = project.startsWith(join(ports.places.state, 'samples'));
      client = models.client({
        provider,
        model,
        usedReplies: repliesOf(session),
        ...(isSample ? { script: join(ports.resources, 'sampleScript.json') } : {}),
      });
      return client;
    };
  };

  return {
    join(session) {
      const builders = new Map<string, TurnParts['buildRequest']>();
      const agent = createAgent({
        session,
        log,
        turnParts: (turn) => turnParts(session, builders, turn),
        maxIterations: () => config.settings.agent.maxIterations,
      });
      return {
        agent,
        async recover() {
          const door = await open(session);
          if (door.ok) await recoverSession(session, door.value.hands);
          await tasks.recover(session);
        },
      };
    },
    of: (session) => doors.get(session),
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

/** How many replies a session has had: where a script goes on after a restart. */
function repliesOf(session: Session): number {
  let replies = 0;
  for (const item of itemsOf(session.state.items)) if (item.kind === 'assistant') replies += 1;
  return replies;
}

async function readImages(session: Session, contents: Contents, known: Map<string, string>): Promise<void> {
  for (const item of itemsOf(session.state.items)) {
    if (item.kind !== 'user') continue;
    for (const attached of item.attachments ?? []) {
      if (attached.kind !== 'image' || known.has(attached.content)) continue;
      const bytes = await contents.get(attached.content);
      if (bytes.ok) known.set(attached.content, Buffer.from(bytes.value).toString('base64'));
    }
  }
}
