import type { AgentApp, ClientCapabilities, RequestError, SessionModeState } from '@agentclientprotocol/sdk';
import type { Client } from '../../../shared/contract/client.ts';
import type { Envelope } from '../../../shared/model/event.ts';
import { type Mode, modes } from '../../../shared/model/phase.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { type Failure, fail, type Result } from '../../../shared/result.ts';
import { slashCommands } from '../../../shared/text/slashCommands.ts';
import { type ClientSkills, type EditorSession, openEditorSession } from './editorSession.ts';
import { promptMessage } from './promptMessage.ts';

type Sdk = typeof import('@agentclientprotocol/sdk');

export interface EditorAgentDeps {
  readonly client: Client;
  readonly version: string;
  /** The facts of an open session so far. */
  readonly factsOf: (session: string) => readonly Envelope[];
  readonly sessions: () => readonly SessionSummary[];
  /** Whether a model can be asked. Errors: CONFIG_INVALID. */
  readonly checkProvider: () => Promise<Result<void>>;
  readonly open: (session: string) => Promise<Result<unknown>>;
  readonly warn: (problem: string) => void;
}

const aboutMode: Readonly<Record<Mode, string>> = {
  phased: 'Explore, plan, change, check: in phases',
  direct: 'At once, without phases',
  ask: 'Answers only; nothing is changed',
};
/** Of a list of sessions. */
const pageSize = 50;
/** The commands that make sense in an editor: modes, sessions and stopping have ways of their own there. */
const offeredCommands = slashCommands.filter(({ name }) => name === 'init' || name === 'continue');

/** Vise as an agent of the Agent Client Protocol: each method is a call of the contract, each fact an update. */
export function createEditorAgent(sdk: Sdk, deps: EditorAgentDeps): AgentApp {
  const { client, version, factsOf, sessions, checkProvider } = deps;
  let skills: ClientSkills = { forms: false, notices: false };

  const value = <T>(result: Result<T>): T => {
    if (result.ok) return result.value;
    throw errorOf(sdk, result.error);
  };
  const { openHere, reopen, ofId, forget } = editorSessions(deps, () => skills, value);

  return sdk
    .agent({ name: 'vise' })
    .onRequest('initialize', ({ params }) => {
      skills = skillsOf(params.clientCapabilities);
      return {
        protocolVersion: sdk.PROTOCOL_VERSION,
        agentInfo: { name: 'vise', title: 'Vise', version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
        },
        authMethods: [],
      };
    })
    .onRequest('session/new', async ({ params, client: context }) => {
      value(await checkProvider());
      const { project } = value(await client.call('project.open', { path: params.cwd }));
      const made = value(await client.call('session.create', { project: project.path }));
      const session = await openHere(made.session, context);
      return { sessionId: made.session, modes: modesOf(session) };
    })
    .onRequest('session/load', async ({ params, client: context }) => {
      const session = await reopen(params.sessionId, params.cwd, context);
      await session.replay(factsOf(params.sessionId));
      return { modes: modesOf(session) };
    })
    .onRequest('session/resume', async ({ params, client: context }) => ({
      modes: modesOf(await reopen(params.sessionId, params.cwd, context)),
    }))
    .onRequest('session/list', ({ params }) => {
      const from = Number(params.cursor ?? '0') || 0;
      const listed = sessions().filter(({ archived, project }) => !archived && (!params.cwd || project === params.cwd));
      return {
        sessions: listed.slice(from, from + pageSize).map(({ id, project, title, updatedAt }) => ({
          sessionId: id,
          cwd: project,
          title,
          updatedAt,
        })),
        ...(listed.length > from + pageSize && { nextCursor: String(from + pageSize) }),
      };
    })
    .onRequest('session/close', async ({ params }) => {
      ofId(params.sessionId);
      await forget(params.sessionId);
    })
    .onRequest('session/delete', async ({ params }) => {
      await forget(params.sessionId);
      value(await client.call('session.delete', { session: params.sessionId }));
    })
    .onRequest('session/set_mode', async ({ params }) => {
      ofId(params.sessionId);
      const mode = modes.find((one) => one === params.modeId);
      if (mode === undefined) throw sdk.RequestError.invalidParams(undefined, `modes are ${modes.join(', ')}`);
      value(await client.call('session.configure', { session: params.sessionId, mode }));
    })
    .onRequest('session/prompt', async ({ params, signal }) => {
      const session = ofId(params.sessionId);
      signal.addEventListener('abort', () => void session.stop(), { once: true });
      return value(await session.run(() => begin(params.sessionId, session, params.prompt)));
    })
    .onNotification('session/cancel', async ({ params }) => {
      await ofId(params.sessionId).stop();
    });

  async function begin(
    id: string,
    session: EditorSession,
    prompt: Parameters<typeof promptMessage>[0],
  ): Promise<Result<unknown>> {
    const message = await promptMessage(prompt, { client, session: id, project: session.state.project });
    if (!message.ok) return message;
    const { text, attachments } = message.value;
    const answered = session.answerWith(text);
    if (answered) return answered;
    const command = offeredCommands.find(({ name }) => text.trim() === `/${name}`);
    if (command?.name === 'init') return client.call('session.init', { session: id });
    if (command?.name === 'continue') return client.call('session.continue', { session: id });
    return client.call('session.send', { session: id, text, attachments });
  }
}

type Context = Parameters<typeof openEditorSession>[0]['context'];

/** The sessions that the editor has open. `value` throws what a result refuses. */
function editorSessions(
  { client, warn, open }: EditorAgentDeps,
  skills: () => ClientSkills,
  value: <T>(result: Result<T>) => T,
) {
  const opened = new Map<string, EditorSession>();
  const openHere = async (id: string, context: Context): Promise<EditorSession> => {
    const known = opened.get(id);
    if (known !== undefined) return known;
    const session = value(await openEditorSession({ id, client, context, skills: skills(), warn }));
    opened.set(id, session);
    const listed = await client.call('prompt.list', { project: session.state.project });
    const availableCommands = [
      ...offeredCommands.map(({ name, about }) => ({ name, description: about })),
      ...(listed.ok ? listed.value.prompts : []).map(({ name, about, hint }) => ({
        name,
        description: about,
        input: { hint },
      })),
    ];
    const update = { sessionUpdate: 'available_commands_update', availableCommands } as const;
    // Behind the answer of this request: before it, a client does not know the session.
    setImmediate(
      () =>
        void context.notify('session/update', { sessionId: id, update }).catch((error: unknown) => warn(String(error))),
    );
    return session;
  };
  const ofId = (id: string): EditorSession => {
    const session = opened.get(id);
    if (session === undefined) return value(fail('SESSION_NOT_FOUND', `No session ${id} is open here. Load it first.`));
    return session;
  };
  /** A session of before, in its own folder. Errors: SESSION_NOT_FOUND, UNAVAILABLE, VALIDATION_ERROR (it is of another folder). */
  const reopen = async (id: string, cwd: string, context: Context): Promise<EditorSession> => {
    value(await open(id));
    const session = await openHere(id, context);
    const project = value(await client.call('project.open', { path: cwd })).project.path;
    if (project === session.state.project) return session;
    await forget(id);
    return value(fail('VALIDATION_ERROR', `This session is of ${session.state.project}, not of ${project}.`));
  };
  const forget = async (id: string): Promise<void> => {
    const session = opened.get(id);
    opened.delete(id);
    await session?.close();
  };
  return { openHere, reopen, ofId, forget };
}

function skillsOf(capabilities: ClientCapabilities | undefined): ClientSkills {
  return { forms: Boolean(capabilities?.elicitation?.form), notices: Boolean(capabilities?.session?.notices) };
}

function modesOf({ state }: EditorSession): SessionModeState {
  return {
    currentModeId: state.mode,
    availableModes: modes.map((id) => ({
      id,
      name: `${id[0]?.toUpperCase()}${id.slice(1)}`,
      description: aboutMode[id],
    })),
  };
}

/** The protocol's numbers for what the engine names; the name stays in the data. */
function errorOf({ RequestError: Refusal }: Sdk, { code, message, details }: Failure): RequestError {
  const number =
    code === 'SESSION_NOT_FOUND' ? -32_002 : /^VALIDATION|NOT_FOUND$|^NOT_A/.test(code) ? -32_602 : -32_603;
  return new Refusal(number, message, { code, details });
}
