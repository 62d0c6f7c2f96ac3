import type { AgentContext, ElicitationPropertySchema } from '@agentclientprotocol/sdk';
import type { Decision } from '../../../shared/model/call.ts';
import type { FileVerdict } from '../../../shared/model/change.ts';
import type { ReadContent } from './callView.ts';

/** The person behind an editor, as far as the protocol reaches. */
export interface Editor {
  readonly session: string;
  readonly project: string;
  readonly context: Pick<AgentContext, 'request'>;
  /** The client shows forms (elicitation): reasons, answers and hunks are asked at once. */
  readonly forms: boolean;
  readonly read: ReadContent;
  /** Who asks, where it is not the agent of the session: put before what is asked. */
  readonly asker?: string | undefined;
  /** Aborted when the turn is stopped: what is asked is taken back. */
  readonly signal: AbortSignal;
}

export interface EditorAnswer {
  readonly decision: Decision;
  readonly reason?: string | undefined;
  readonly verdicts?: readonly FileVerdict[] | undefined;
  readonly answer?: string | undefined;
}

/** A form of the client, about one call. Undefined when the person does not want to fill it in. */
export async function askForm(
  { context, session, signal, asker }: Editor,
  toolCallId: string,
  question: string,
  properties: Record<string, ElicitationPropertySchema>,
): Promise<ReadonlyMap<string, unknown> | undefined> {
  const answer = await context.request(
    'elicitation/create',
    {
      mode: 'form',
      sessionId: session,
      toolCallId,
      message: askedBy(asker, question),
      requestedSchema: { type: 'object', properties },
    },
    { cancellationSignal: signal },
  );
  if (answer.action !== 'accept') return undefined;
  return new Map<string, unknown>(Object.entries(('content' in answer ? answer.content : undefined) ?? {}));
}

/** What stands in a field of a form; undefined when nothing does. */
export function textIn(form: ReadonlyMap<string, unknown> | undefined, field: string): string | undefined {
  const text = form?.get(field);
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** What is asked, with the name of who asks. */
export function askedBy(asker: string | undefined, question: string): string {
  return asker === undefined ? question : `${asker}: ${question}`;
}
