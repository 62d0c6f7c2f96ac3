import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { envelopeSchema } from '../model/event.ts';
import { workbenchEnvelopeSchema } from '../model/workbench.ts';
import { failureSchema } from '../result.ts';

/** What a client may send. Everything else closes the connection with a reason (S4). */
export const clientFrame = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('call'), id: z.int().min(0), method: z.string().max(100), input: z.unknown() }),
    /** `bytes` of a console channel were drawn; the host may send as many again. */
    z.object({ kind: z.literal('ack'), channel: z.int().min(0), bytes: z.int().min(0) }),
  ]),
);
export type ClientFrame = Immutable<z.infer<typeof clientFrame>>;

/** What a host sends beside the binary console frames. */
export const hostFrame = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('reply'), id: z.int(), ok: z.literal(true), value: z.unknown() }),
    z.object({ kind: z.literal('refusal'), id: z.int(), error: failureSchema }),
    z.object({ kind: z.literal('event'), envelope: envelopeSchema }),
    z.object({ kind: z.literal('workbench'), envelope: workbenchEnvelopeSchema }),
    z.object({ kind: z.literal('ended'), channel: z.int() }),
    z.object({ kind: z.literal('closed'), reason: z.string() }),
  ]),
);
export type HostFrame = Immutable<z.infer<typeof hostFrame>>;

/** Console bytes: four bytes of channel number (big endian), then the bytes as they came. */
export function packBytes(channel: number, bytes: Uint8Array): Uint8Array {
  const packed = new Uint8Array(4 + bytes.length);
  new DataView(packed.buffer).setUint32(0, channel);
  packed.set(bytes, 4);
  return packed;
}

export function unpackBytes(packed: Uint8Array): { readonly channel: number; readonly bytes: Uint8Array } | undefined {
  if (packed.length < 4) return undefined;
  const channel = new DataView(packed.buffer, packed.byteOffset, 4).getUint32(0);
  return { channel, bytes: packed.subarray(4) };
}
