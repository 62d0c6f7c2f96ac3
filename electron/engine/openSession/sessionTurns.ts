import { join } from 'node:path';
import type { ContextUse } from '../../../shared/model/contextUse.ts';
import { itemsOf, timelineLength } from '../../../shared/model/timeline.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { createEditsOnDisk } from '../edits/editsOnDisk.ts';
import type { ModelClient, ModelRequest } from '../model/port.ts';
import { createTokenCounter, type TokenCounter } from '../model/tokens/tokenCounter.ts';
import type { OpenedProject } from '../openProject/openedProject.ts';
import type { ProjectTasks } from '../openProject/projectTasks.ts';
import type { EnginePorts } from '../ports.ts';
import { createCallContext } from '../session/callContext.ts';
import { makeRoom } from '../session/compaction.ts';
import { createContextMeter } from '../session/contextMeter.ts';
import { createContextCounter } from '../session/contextUse.ts';
import { contextWindowOf } from '../session/contextWindow.ts';
import { createHistory } from '../session/history.ts';
import { createRequestBuilder } from '../session/requestBuilder.ts';
import type { Session } from '../session/session.ts';
import { createSessionToolsets, type SessionToolsets } from '../session/sessionToolsets.ts';
import type { TurnDeps } from '../session/turnDeps.ts';
import { createWorkFolders } from '../session/workFolders.ts';
import type { Toolset } from '../tools/toolset.ts';
import type { Contents } from '../workspace/contents.ts';
import type { ModelChoice, Models } from './models.ts';
import type { OpenedSession } from './openedSession.ts';

export interface SessionTurnsDeps {
  readonly ports: EnginePorts;
  readonly models: Models;
  readonly tasks: ProjectTasks;
  readonly session: Session;
  readonly door: () => Promise<Result<OpenedSession>>;
}

/** What the turns of one session share: the model's client, what was measured of its requests, pictures, descriptions. */
export interface SessionTurns {
  parts(turn: string): Promise<TurnDeps>;
  /** Tokens of the model's window. */
  window(): number;
  /** What the next request would fill of it. Errors: those of opening the session. */
  contextUse(): Promise<Result<ContextUse>>;
  /** Ends kept connections and the thread that counts. */
  dispose(): void;
}

export function createSessionTurns(parts: SessionTurnsDeps): SessionTurns {
  const { ports, models, tasks, session } = parts;
  const { clock, log } = ports;
  const meter = createContextMeter();
  let tokenCounter: TokenCounter | undefined;
  const counter = createContextCounter(meter, () => {
    tokenCounter ??= createTokenCounter();
    return tokenCounter;
  });
  let lastCount: { readonly request: ModelRequest; readonly tokens: number } | undefined;
  const exactly = async (sent: ModelRequest): Promise<number | undefined> => {
    const tokens = await counter.exactly(sent);
    lastCount = tokens === undefined ? undefined : { request: sent, tokens };
    return tokens;
  };
  const folders = createWorkFolders();
  const images = new Map<string, string>();
  const readImages = createImageReader(session, images);
  const described = new Set<string>();
  const clients = createClients(session, models, ports);
  let toolsets: { readonly of: Toolset; readonly made: SessionToolsets } | undefined;
  const told = new Set<string>();
  /** What of the settings does not count is told once a session. */
  const readSettings = async (project: OpenedProject): Promise<void> => {
    const { notices } = await project.readSettings();
    const provider = models.check(clients.choice());
    for (const text of [...notices, ...(provider.ok ? provider.value.warnings : [])]) {
      if (told.has(text)) continue;
      told.add(text);
      session.emit({ type: 'notice', level: 'warning', code: 'settings_ignored', text });
    }
  };
  let request: ReturnType<typeof createRequestBuilder> | undefined;
  let asked: ModelClient | undefined;

  const limit = (): number => {
    const settings = models.check(clients.choice());
    return (settings.ok ? settings.value.contextTokens : undefined) ?? contextWindowOf(session.state.model);
  };

  /** The tools and the builder of requests, remade when the project's tools are others. */
  const requests = (project: OpenedProject) => {
    if (toolsets?.of !== project.toolset) {
      toolsets = {
        of: project.toolset,
        made: createSessionToolsets(project.toolset, () => session.state, described),
      };
    }
    const { made } = toolsets;
    request ??= createRequestBuilder({
      history: createHistory({ resultChars: project.settings().agent.resultChars, readImage: (id) => images.get(id) }),
      rulesFiles: (state) => project.rulesFiles(folders(state)),
      described: () => described,
      programs: () => project.bridge.instructions,
    });
    // The way tools are offered can change within a turn: a server refuses native tools, the person changes the model.
    const current = (): Toolset => (asked?.protocol?.(session.state.model) === 'text' ? made.text : made.native);
    return { build: request, current };
  };

  return {
    async parts(turn) {
      const opened = await parts.door();
      if (!opened.ok) throw new Error(opened.error.message);
      const { gate, questions, hands, project, contents, stages } = opened.value;
      await readSettings(project);
      await project.bridge.beforeTurn();
      const { build, current } = requests(project);
      const toolset: Toolset = {
        get tools() {
          return current().tools;
        },
        find: (name) => current().find(name),
        nearest: (name) => current().nearest(name),
      };
      return {
        session,
        clock,
        settings: () => project.settings(),
        model: clients.get(turn),
        async buildRequest(client) {
          asked = client;
          await readImages(contents);
          return build(session.state, current());
        },
        makeRoom: (client, next, running, signal) =>
          makeRoom(
            {
              session,
              meter,
              exactly,
              limit,
              asksModel: () => clients.kind() !== 'scripted',
              nowMs: () => clock.now(),
            },
            client,
            next,
            running,
            signal,
          ),
        measure(sent, { usage, text, calls }) {
          if (usage.requests === 1) meter.learn(sent, usage.input);
          const own = meter.ofText(text) + meter.ofText(JSON.stringify(calls));
          const contextLimit = limit();
          if (usage.requests === 1 && usage.input > 0)
            return { contextTokens: usage.input + usage.output, contextLimit, contextCounted: 'provider' };
          const exact = lastCount?.request === sent ? lastCount.tokens : undefined;
          return {
            contextTokens: (exact ?? meter.estimate(sent)) + own,
            contextLimit,
            contextCounted: exact === undefined ? 'estimate' : 'tokenizer',
          };
        },
        context: createCallContext({
          session,
          turn,
          toolset,
          look: project.look,
          fileHands: hands,
          gate,
          questions,
          stages,
          log,
          runCommand: (command, call) => tasks.run(session, command, call),
        }),
        stages,
        editsOnDisk: createEditsOnDisk({ look: project.look, contents, toolset }),
      };
    },
    window: limit,
    async contextUse() {
      const opened = await parts.door();
      if (!opened.ok) return opened;
      const { project, contents } = opened.value;
      const { build, current } = requests(project);
      await readImages(contents);
      const next = await build(session.state, current());
      const rules = (await project.rulesFiles(folders(session.state))).map(({ text }) => text).join('\n');
      return ok(await counter.use(next, rules, limit()));
    },
    dispose() {
      clients.dispose();
      void tokenCounter?.dispose();
    },
  };
}

interface Clients {
  choice(): ModelChoice;
  kind(): string;
  get(turn: string): TurnDeps['model'];
  dispose(): void;
}

/** One client while the provider's settings stay the same: its connections, and what was learnt of the server, are kept. */
function createClients(session: Session, models: Models, ports: EnginePorts): Clients {
  let known: { readonly key: string; readonly client: ReturnType<Models['client']> } | undefined;
  const choice = (): ModelChoice => {
    const { provider, model, project } = session.state;
    const isSample = project.startsWith(join(ports.places.state, 'samples'));
    return {
      provider,
      model,
      ...(isSample ? { script: join(ports.resources, 'sampleScript.json') } : {}),
    };
  };
  const drop = (): void => {
    void known?.client.then((client) => client.ok && client.value.dispose());
    known = undefined;
  };
  return {
    choice,
    kind() {
      const settings = models.check(choice());
      return settings.ok ? settings.value.kind : '';
    },
    get: (turn) => () => {
      const chosen = choice();
      const settings = models.check(chosen);
      // A script may have been written anew since the last turn.
      const key = settings.ok && settings.value.kind === 'scripted' ? turn : JSON.stringify(settings);
      if (known?.key === key) return known.client;
      drop();
      known = { key, client: models.client({ ...chosen, usedReplies: repliesOf(session) }) };
      return known.client;
    },
    dispose: drop,
  };
}

/** How many replies a session has had: where a script goes on after a restart. */
function repliesOf(session: Session): number {
  let replies = 0;
  for (const item of itemsOf(session.state.items)) if (item.kind === 'assistant') replies += 1;
  return replies;
}

/** Reads the pictures of messages before the model is to see them; looks only at what is new since it was asked. */
function createImageReader(session: Session, known: Map<string, string>): (contents: Contents) => Promise<void> {
  let seen = 0;
  return async (contents) => {
    const { items } = session.state;
    const from = seen;
    seen = timelineLength(items);
    for (const item of itemsOf(items, from)) {
      if (item.kind !== 'user') continue;
      for (const attached of item.attachments ?? []) {
        if (attached.kind !== 'image' || known.has(attached.content)) continue;
        const bytes = await contents.get(attached.content);
        if (bytes.ok) known.set(attached.content, Buffer.from(bytes.value).toString('base64'));
      }
    }
  };
}
