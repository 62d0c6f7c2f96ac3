import { join } from 'node:path';
import type { ContextUse } from '../../../shared/model/contextUse.ts';
import type { AskedModel } from '../../../shared/model/modelInfo.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { AgentWaker } from '../builds/wakeAgent.ts';
import { createEditsOnDisk } from '../edits/editsOnDisk.ts';
import type { ModelRequest } from '../model/base/port.ts';
import { createTokenCounter, type TokenCounter } from '../model/tokens/tokenCounter.ts';
import type { OpenedProject } from '../openProject/openedProject.ts';
import type { ProjectSettings } from '../openProject/projectSettings.ts';
import type { EnginePorts } from '../ports.ts';
import { compact } from '../session/compaction.ts';
import { createContextCounter } from '../session/contextCounter.ts';
import { createContextMeter } from '../session/contextMeter.ts';
import type { Session } from '../session/session.ts';
import { type Caps, capsOf, createSpendLedger, endAtCap, type SpendLedger } from '../session/spend.ts';
import type { TurnDeps } from '../session/turnDeps.ts';
import { type AskOnce, createAskOnce } from './askOnce.ts';
import { createCapGuard } from './capGuard.ts';
import type { Models } from './models.ts';
import type { OpenedSession } from './openedSession.ts';
import { createSessionModel, type SessionModel } from './sessionModel.ts';
import { createSessionRequests } from './sessionRequests.ts';
import type { Subagents } from './subagents.ts';

export interface SessionTurnsDeps {
  readonly ports: EnginePorts;
  readonly models: Models;
  readonly settings: Pick<ProjectSettings, 'of'>;
  readonly session: Session;
  readonly subagents: Subagents;
  readonly open: () => Promise<Result<OpenedSession>>;
}

/** What the turns of one session share: the model's client, what was measured of its requests, pictures, descriptions. */
export interface SessionTurns {
  /** What a turn uses. Errors: those of opening the session's project. */
  deps(turn: string): Promise<Result<TurnDeps>>;
  /** Tokens of the model's window. */
  window(): number;
  /** What the next request would fill of it. Errors: those of opening the session's project. */
  contextUse(): Promise<Result<ContextUse>>;
  readonly askOnce: AskOnce;
  /** Whom the next request asks. Errors: CONFIG_INVALID. */
  askedModel(): Result<AskedModel>;
  /** Ends kept connections and the thread that counts. */
  dispose(): void;
}

export function createSessionTurns(deps: SessionTurnsDeps): SessionTurns {
  const { ports, models, settings, session, open } = deps;
  const { clock } = ports;
  const model = createSessionModel(session, models, ports, () => settings.of(session.state.project));
  const requests = createSessionRequests(session, model);
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
  const ledger = createSpendLedger(join(ports.places.state, 'spend'), clock);
  const reported = new Set<string>();
  /** What of the settings does not count is reported once a session. */
  const readSettings = async (project: OpenedProject): Promise<void> => {
    await project.recover();
    for (const text of project.untold()) session.emit({ type: 'notice', level: 'warning', code: 'recovered', text });
    const { notices } = await project.readSettings();
    const provider = model.look();
    const texts = [...notices, ...(provider.ok ? provider.value.warnings : [])].filter((text) => !reported.has(text));
    for (const text of new Set(texts))
      session.emit({ type: 'notice', level: 'warning', code: 'settings_ignored', text });
    for (const text of texts) reported.add(text);
  };
  const compaction = {
    session,
    meter,
    exactly,
    limit: model.limit,
    asksModel: () => isModel(model.look()),
    nowMs: () => clock.monotonicMs(),
    spend: ledger.add,
  };

  return {
    async deps(turn) {
      const done = await open();
      if (!done.ok) return done;
      const { value: opened } = done;
      const { project, contents, stages, hooks } = opened;
      await readSettings(project);
      await project.bridge.beforeTurn();
      const context = opened.callContext(turn, () => requests.toolset(opened));
      return ok({
        session,
        clock,
        settings: () => project.settings(),
        model: () => model.client(turn),
        buildRequest: (client) => requests.build(opened, client),
        compact(client, next, running, signal, refusal) {
          if (refusal !== undefined) model.tooLong(refusal, meter.estimate(next));
          return compact(compaction, client, next, running, signal, refusal !== undefined);
        },
        mayAsk: withinBudget(opened.waker, capGuard(deps, opened, model, ledger)),
        measure(sent, { usage, text, calls }) {
          ledger.add(usage);
          if (usage.requests === 1) meter.learn(sent, usage.input);
          const own = meter.ofText(text) + meter.ofText(JSON.stringify(calls));
          const contextLimit = model.window() ?? 0; // unknown is told as unknown
          const isTold = usage.requests === 1 && usage.input > 0;
          if (isTold) return { contextTokens: usage.input + usage.output, contextLimit, contextCounted: 'provider' };
          const exact = lastCount?.request === sent ? lastCount.tokens : undefined;
          return {
            contextTokens: (exact ?? meter.estimate(sent)) + own,
            contextLimit,
            contextCounted: exact === undefined ? 'estimate' : 'tokenizer',
          };
        },
        context,
        stages,
        hooks,
        contents,
        editsOnDisk: createEditsOnDisk({ look: project.look, contents, toolset: context.toolset }),
      });
    },
    window() {
      model.look();
      return model.limit();
    },
    async contextUse() {
      const opened = await open();
      if (!opened.ok) return opened;
      model.look();
      const next = await requests.build(opened.value);
      return ok(await counter.use(next, await requests.rules(opened.value), model.window() ?? 0));
    },
    askOnce: createAskOnce(session, model, ledger, clock),
    askedModel: model.asked,
    dispose() {
      model.dispose();
      void tokenCounter?.dispose();
    },
  };
}

function isModel(settings: ReturnType<SessionModel['look']>): boolean {
  return settings.ok && settings.value.kind !== 'scripted';
}

/** A subagent ends at its limits and at the caps of the session that started it, which count what it sends. */
function capGuard(
  { ports, session, subagents }: SessionTurnsDeps,
  { project, questions }: OpenedSession,
  model: SessionModel,
  ledger: SpendLedger,
): TurnDeps['mayAsk'] {
  const today = (): number => ledger.today().cost ?? 0;
  const caps = (state: SessionState): Caps => capsOf(state, project.settings(), ports.maxCost);
  if (session.state.subagentOf) return subagents.guardOf(session, ({ state }) => caps(state), today);
  const guard = createCapGuard({
    session,
    caps,
    today,
    interactive: ports.interactive,
    isPriced: () => model.known()?.price !== undefined || !isModel(model.look()),
    model: model.name,
    questions,
  });
  return (turn, requests, signal) => guard(turn, requests + subagents.requestsOf(turn), signal);
}

/** A turn that a build began ends at the requests that builds may cause. */
function withinBudget({ left }: AgentWaker, mayAsk: TurnDeps['mayAsk']): TurnDeps['mayAsk'] {
  return async (turn, requests, signal) =>
    left(turn) === 0
      ? endAtCap('The requests that builds may cause are used up (agent.buildRequests). Send a message to go on.')
      : mayAsk(turn, requests, signal);
}
