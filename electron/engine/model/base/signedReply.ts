import type { DialectName } from '../../../../shared/model/dialect.ts';
import { isObject } from './json.ts';
import type { ModelMessage } from './port.ts';

/**
 * A reply as its provider wrote it: the order of reasoning, text and calls, and what is signed or encrypted. It stands in
 * `reasoningDetails` of the journal, led by a mark that says who may read it: another provider or model refuses it.
 */
export interface SignedReply {
  readonly dialect: DialectName;
  readonly provider: string;
  readonly model: string;
  readonly parts: readonly SignedPart[];
}

export type SignedPart =
  /** As the provider sent it, and as it goes back. */
  | { readonly type: 'reasoning'; readonly raw: Readonly<Record<string, unknown>> }
  /** The next characters of the reply's text; `raw` is what else the provider says of them. */
  | { readonly type: 'text'; readonly chars: number; readonly raw?: Readonly<Record<string, unknown>> }
  /** The next call of the reply. */
  | { readonly type: 'call'; readonly raw?: Readonly<Record<string, unknown>> };

const mark = 'vise.reply';

/** For the journal; undefined where nothing is signed, because then nothing is lost by writing the reply anew. */
export function signedDetails(reply: SignedReply): readonly unknown[] | undefined {
  const { parts, ...from } = reply;
  return parts.some(({ type, raw }) => type === 'reasoning' || raw !== undefined)
    ? [{ type: mark, ...from }, ...parts]
    : undefined;
}

export function isSigned(details: readonly unknown[]): boolean {
  return isObject(details[0]) && details[0].type === mark;
}

/** The parts of a reply that this dialect, provider and model wrote itself; undefined for every other reply. */
export function signedParts(
  message: ModelMessage & { readonly role: 'assistant' },
  reader: Omit<SignedReply, 'parts'>,
): readonly SignedPart[] | undefined {
  const [head, ...parts] = message.reasoningDetails ?? [];
  if (!isObject(head) || head.type !== mark) return undefined;
  const isOwn = head.dialect === reader.dialect && head.provider === reader.provider && head.model === reader.model;
  return isOwn ? parts.filter(isPart) : undefined;
}

/** A journal may hold anything. */
function isPart(value: unknown): value is SignedPart {
  if (!isObject(value)) return false;
  if (value.type === 'reasoning') return isObject(value.raw);
  if (value.raw !== undefined && !isObject(value.raw)) return false;
  return value.type === 'call' || (value.type === 'text' && typeof value.chars === 'number');
}
