import type { AgentContext, PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk';
import type { Client } from '../../../shared/contract/client.ts';
import type { Envelope, EventOf } from '../../../shared/model/event.ts';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession, type SessionState } from '../../../shared/model/sessionState.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ReadContent } from './callView.ts';
import { createEditorQuestions } from './editorQuestions.ts';
import { factUpdates, words } from './factUpdates.ts';
import { withSubagents } from './subagentQuestions.ts';
import { watchSession } from './watchSession.ts';

/** What the client said that it can do. */
export interface ClientSkills {
  readonly forms: boolean;
  readonly notices: boolean;
}

export interface EditorSessionDeps {
  readonly id: string;
  readonly client: Client;
  readonly context: Pick<AgentContext, 'request' | 'notify'>;
  readonly skills: ClientSkills;
  readonly warn: (problem: string) => void;
}

/** A session as an editor has it open: facts go to it as updates, in their order, and what waits is asked there. */
export interface EditorSession {
  readonly state: SessionState;
  /** Begins something that ends with a turn; answers when the turn rests, and everything before has been told. */
  run(begin: () => Promise<Result<unknown>>): Promise<Result<PromptResponse>>;
  /** Answers the agent's question that waits; undefined when none does. */
  answerWith(text: string): Promise<Result<unknown>> | undefined;
  stop(): Promise<void>;
  /** Tells what a session held before. */
  replay(facts: readonly Envelope[]): Promise<void>;
  close(): Promise<void>;
}

/** Errors: SESSION_NOT_FOUND, UNAVAILABLE (open elsewhere). */
export async function openEditorSession(deps: EditorSessionDeps): Promise<Result<EditorSession>> {
  const { id, client, context, skills, warn } = deps;
  let latest = emptySession;
  const state = (): SessionState => latest;
  let telling: Promise<void> = Promise.resolve();
  let stopped = new AbortController();
  let running: PromiseWithResolvers<Result<PromptResponse>> | undefined;
  /** What was said since the last call: the words of the end may be the same. */
  let said = '';

  const read: ReadContent = async (content) => {
    if (content === null) return null;
    const found = await client.call('content.read', { session: id, id: content });
    return found.ok ? (found.value.text ?? undefined) : undefined;
  };
  const tell = (make: () => readonly SessionUpdate[] | Promise<readonly SessionUpdate[]>): Promise<void> => {
    telling = telling
      .then(async () => {
        for (const update of await make()) await context.notify('session/update', { sessionId: id, update });
      })
      .catch((error: unknown) => warn(`an update was not sent: ${String(error)}`));
    return telling;
  };
  const rest = async (result: Result<PromptResponse>): Promise<void> => {
    const waiting = running;
    running = undefined;
    await telling;
    waiting?.resolve(result);
  };

  const onFact = (envelope: Envelope, before: SessionState, after: SessionState): void => {
    const { event } = envelope;
    latest = after;
    void tell(() => factUpdates(envelope, { state: after, before, read, isPast: false, notices: skills.notices }));
    if (event.type === 'text.delta') said += event.text;
    if (event.type === 'tool.proposed' || event.type === 'turn.started') said = '';
    if (event.type === 'permission.asked') questions.ask();
    if (event.type === 'turn.finished') finish(event, after);
  };

  const finish = (event: EventOf<'turn.finished'>, { queue }: SessionState): void => {
    const last = lastWords(event, said);
    if (last !== '') void tell(() => [words('agent_message_chunk', last)]);
    // What was said meanwhile begins the next turn by itself.
    if (queue.length === 0 || event.outcome === 'cancelled' || event.outcome === 'failed') void rest(endOf(event));
  };

  const asking = {
    client,
    warn,
    isRunning: () => running !== undefined,
    told: () => telling,
    say: (text: string) => tell(() => [words('agent_message_chunk', text)]),
    endPrompt: () => rest(ok({ stopReason: 'end_turn' })),
    editor: () => ({
      session: id,
      project: state().project,
      context,
      forms: skills.forms,
      read,
      signal: stopped.signal,
    }),
  };
  const questions = withSubagents(createEditorQuestions({ ...asking, state }), { ...asking, session: id });

  const watching = await watchSession(client, id, onFact);
  if (!watching.ok) return watching;
  latest = watching.value.state();
  return ok({
    get state() {
      return state();
    },
    async run(begin) {
      if (running !== undefined)
        return fail('UNAVAILABLE', 'A prompt of this session runs. Cancel it, or wait for its end.');
      const mine = Promise.withResolvers<Result<PromptResponse>>();
      running = mine;
      stopped = new AbortController();
      questions.begin();
      const begun = await begin();
      if (!begun.ok) await rest(begun);
      // Cancelled while it began: there was nothing to stop yet.
      else if (stopped.signal.aborted) await client.call('session.stop', { session: id });
      questions.ask();
      return mine.promise;
    },
    answerWith: (text) => questions.answerWith(text),
    async stop() {
      stopped.abort();
      await client.call('session.stop', { session: id });
    },
    async replay(facts) {
      let past = emptySession;
      for (const envelope of facts) {
        const before = past;
        const after = reduce(before, envelope);
        past = after;
        void tell(() => factUpdates(envelope, { state: after, before, read, isPast: true, notices: false }));
      }
      await telling;
    },
    async close() {
      stopped.abort();
      await client.call('session.stop', { session: id });
      await watching.value.stop();
      await questions.stop();
      await rest(ok({ stopReason: 'cancelled' }));
    },
  });
}

/** What the person has not read yet: the words of the end, and what is open. A failure is told by the prompt's answer. */
function lastWords({ outcome, text, open = [] }: EventOf<'turn.finished'>, said: string): string {
  if (outcome === 'failed') return '';
  const lines = [...(said.includes(text.trim()) ? [] : [text]), ...open.map((line) => `- ${line}`)];
  return lines.length === 0 ? '' : `\n${lines.join('\n')}`;
}

function endOf({ outcome, text, error }: EventOf<'turn.finished'>): Result<PromptResponse> {
  if (outcome === 'cancelled') return ok({ stopReason: 'cancelled' });
  if (outcome !== 'failed') return ok({ stopReason: 'end_turn' });
  if (error?.code === 'LIMIT_EXCEEDED') return ok({ stopReason: 'max_turn_requests' });
  return fail('PROVIDER_ERROR', text || 'The turn failed.', { code: error?.code });
}
