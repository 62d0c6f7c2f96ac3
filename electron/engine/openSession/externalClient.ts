import { join } from 'node:path';
import type { OutputOf, ParsedInputOf } from '../../../shared/contract/api.ts';
import type { AppliedFile } from '../../../shared/model/change.ts';
import { type Failure, fail, ok, type Result } from '../../../shared/result.ts';
import { createDeferred, type Deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposer.ts';
import { shortId } from '../base/ids.ts';
import { describeError } from '../base/log.ts';
import type { GateOutcome } from '../permission/outcomes.ts';
import { realFolder } from '../project/projects.ts';
import { externalTurn } from '../session/externalCalls.ts';
import type { LiveSession } from '../session/openings.ts';
import type { Sessions } from '../session/sessions.ts';
import { type CallContext, type ReadyCall, runTool } from '../tools/frame/runTool.ts';
import type { Category } from '../tools/frame/tool.ts';
import { createContents } from '../workspace/contents.ts';
import type { OpenedSession } from './openedSession.ts';
import type { OpenedSessions } from './openedSessions.ts';

type Ask = ParsedInputOf<'external.ask'>;
type Given = OutputOf<'external.ask'>;
type Finish = ParsedInputOf<'external.finish'>;

/** One other process that asks through this engine, as long as its connection stands. */
export interface ExternalClient extends Disposable {
  ask(asked: Ask): Promise<Result<Given>>;
  finish(finished: Finish): Promise<Result<void>>;
  leave(key: string): void;
}

export interface ExternalClientDeps {
  readonly sessions: Sessions;
  readonly openedSessions: Pick<OpenedSessions, 'open'>;
  /** The state folder, which the other process shares: what its calls propose lies there. */
  readonly state: string;
  readonly defaults: (project: string) => { readonly provider: string; readonly model: string };
  /** How many questions of all clients wait; they share it. */
  readonly waiting: { count: number };
}

/** A client that asks more at once is not one that a person sits behind; nor does a person answer more of all together. */
const maxCalls = 50;
const maxCallsOfAll = 200;

const gone = fail('CANCELLED', 'Whoever asked has gone; what it did of this call is not known here.');
const takenBack = fail('CANCELLED', 'The question was taken back.');

interface ExternalCall {
  readonly id: string;
  readonly opened: OpenedSession;
  readonly stop: AbortController;
  readonly answer: Deferred<Result<Given>>;
  /** What became of it over there. */
  readonly finished: Deferred<Result<unknown>>;
  state: 'asked' | 'runs';
}

/**
 * Its questions are calls of a session of their own, so that they stand in the inbox, in the list and in the history like
 * any other: they go through the same pipe, only that *run* means to wait for what the other process reports. What
 * *Session* allows ends with the connection: the next process gets a session of its own.
 */
export function createExternalClient({
  sessions,
  openedSessions,
  state,
  defaults,
  waiting,
}: ExternalClientDeps): ExternalClient {
  /** Set before anything is waited for, so that no crowd of questions gets past the bounds; without `call` until there is a session. */
  const calls = new Map<string, { readonly stop: AbortController; call?: ExternalCall }>();
  const sessionFor = clientSessions({ sessions, openedSessions, defaults });
  const stored = createContents({ folder: join(state, 'contents') });

  /** What the review shows is read from the session's own contents. */
  const fetchContents = async (
    changes: readonly Pick<AppliedFile, 'before' | 'after'>[],
    { contents }: OpenedSession,
  ): Promise<void> => {
    for (const id of changes.flatMap(({ before, after }) => [before, after])) {
      const bytes = id === null ? undefined : await stored.get(id);
      if (bytes?.ok) await contents.put(bytes.value);
    }
  };
  const leave = (key: string): void => {
    calls.get(key)?.stop.abort();
    calls.get(key)?.call?.finished.resolve(gone);
  };

  return {
    async ask({ client, project, key, call: asked }) {
      if (calls.has(key)) return fail('CONFLICT', 'This call has been asked already.');
      if (calls.size >= maxCalls || waiting.count >= maxCallsOfAll)
        return fail('LIMIT_EXCEEDED', 'More questions wait already than a person answers.');
      const place: { readonly stop: AbortController; call?: ExternalCall } = { stop: new AbortController() };
      calls.set(key, place);
      waiting.count += 1;
      const over = (): void => {
        calls.delete(key);
        waiting.count -= 1;
      };
      const opened = await sessionFor(client, project);
      if (!opened.ok) {
        over();
        return opened;
      }
      const call: ExternalCall = {
        id: shortId('external'),
        opened: opened.value,
        stop: place.stop,
        answer: createDeferred(),
        finished: createDeferred(),
        state: 'asked',
      };
      place.call = call;
      const { preview } = asked.intent;
      if (preview.kind === 'changes') await fetchContents(preview.changes, opened.value);
      if (call.stop.signal.aborted) {
        over();
        return takenBack;
      }
      void runElsewhere(call, asked, sessions)
        // Its session may be gone, or cannot be written: the one who asked is told, and nothing else ends.
        .catch((error: unknown) => fail('UNAVAILABLE', describeError(error)).error)
        .then((refused) => {
          over();
          call.answer.resolve(
            call.stop.signal.aborted ? takenBack : ok({ decision: 'deny', reason: refused?.message }),
          );
        });
      return call.answer.promise;
    },
    async finish({ key, success, code, message = '', applied = [] }) {
      const call = calls.get(key)?.call;
      if (call?.state !== 'runs') return fail('VALIDATION_ERROR', 'There is no such call.');
      const files = applied.filter(({ verdict }) => verdict !== 'rejected');
      if (files.length > 0) {
        await fetchContents(files, call.opened);
        if (calls.get(key)?.call === call && isLive(call, sessions))
          call.opened.session.emit({
            type: 'change.applied',
            changeSet: shortId('change'),
            call: call.id,
            turn: externalTurn,
            files: applied,
          });
      }
      call.finished.resolve(
        success
          ? ok({ note: message || 'Another process ran it and has the result.' })
          : fail(code ?? 'TOOL_EXECUTION_FAILED', message),
      );
      return ok(undefined);
    },
    leave,
    dispose() {
      for (const key of [...calls.keys()]) leave(key);
    },
  };
}

/** The session of a client in each project, made with its first question there; questions that come at once share it. */
function clientSessions({
  sessions,
  openedSessions,
  defaults,
}: Pick<ExternalClientDeps, 'sessions' | 'openedSessions' | 'defaults'>): (
  client: string,
  path: string,
) => Promise<Result<OpenedSession>> {
  const sessionOf = new Map<string, Promise<Result<LiveSession>>>();
  const made = async (before: Result<LiveSession> | undefined, client: string, project: string) => {
    const again = before?.ok ? await sessions.open(before.value.session.id) : undefined;
    if (again?.ok) return again;
    return sessions.create({ project, title: `MCP: ${client || 'a client'}`, mode: 'direct', ...defaults(project) });
  };
  return async (client, path) => {
    const real = realFolder(path);
    if (!real.ok) return real;
    const next = Promise.resolve(sessionOf.get(real.value)).then((before) => made(before, client, real.value));
    sessionOf.set(real.value, next);
    const live = await next;
    return live.ok ? openedSessions.open(live.value.session) : live;
  };
}

/** Its session may have been deleted meanwhile. */
function isLive({ opened: { session } }: ExternalCall, sessions: Sessions): boolean {
  return sessions.live(session.id)?.session === session;
}

/** Through the gate like any call; once it may run, the other process is told so and runs it. The failure, if there is one. */
async function runElsewhere(
  call: ExternalCall,
  { tool, category, level, input, intent }: Ask['call'],
  sessions: Sessions,
): Promise<Failure | undefined> {
  const context = call.opened.callContext(externalTurn, () => call.opened.project.toolset);
  let passed: GateOutcome | undefined;
  const followed: CallContext = {
    ...context,
    emit: (event) => isLive(call, sessions) && context.emit(event),
    async pass(waiting, signal) {
      passed = await context.pass(waiting, signal);
      return passed;
    },
  };
  const planned: ReadyCall = {
    state: 'ready',
    call: { id: call.id, tool, input },
    // Which tools the other process has is its own affair; rules know their categories by name.
    tool: {
      name: tool,
      category: category as Category,
      permission: level,
      about: '',
      source: externalTurn,
      inputSchema: () => ({}),
      prepare: () => Promise.resolve(gone),
    },
    intent,
    changes: [], // they are composed where they are written
    prepared: {
      intent: { ...intent, preview: { kind: 'none' } },
      warnings: [],
      run() {
        const { verdicts, text } = passed?.decision === 'allow' ? passed.answer : {};
        call.state = 'runs';
        call.answer.resolve(ok({ decision: 'allow', verdicts, text }));
        return call.finished.promise;
      },
    },
  };
  const result = await runTool(planned, followed, call.stop.signal);
  return result.success ? undefined : result.error;
}
