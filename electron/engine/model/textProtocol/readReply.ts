import type { ToolSpec } from '../base/port.ts';
import type { Dialect, ReadReply } from './reply.ts';
import { readStrict } from './strict.ts';
import { readTolerant } from './tolerant.ts';

/**
 * What a reply in the text protocol says: prose, reasoning and calls, or one named error and then no call at all. In the
 * tolerant dialect `knownTools` types the values of XML parameters and keeps prose from being taken for a call; leave it
 * out where any tool may be meant (`vise inspect reply`). Linear in the length of the text.
 */
export function readReply(text: string, dialect: Dialect, knownTools: readonly ToolSpec[] = []): ReadReply {
  return dialect === 'strict' ? readStrict(text) : readTolerant(text, knownTools);
}
