import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** More would fill the window of most models. */
export const maxPipedChars = 200_000;

/**
 * How long nothing may come before a task goes without it, in milliseconds: a pipe of a shell may have a slow program before it,
 * a socket is what other programs give to a child whether they write to it or not.
 */
const firstByteMs = { pipe: 3_000, socket: 300 } as const;

/** What stands on standard input beside a task: a file or a pipe; nothing of a terminal, of /dev/null, or of a silent pipe. */
export async function readPiped(
  input: Readable,
  limits: typeof firstByteMs = firstByteMs,
): Promise<string | undefined> {
  const kind = kindOfInput();
  if (kind === undefined) return undefined;
  const chunks = input.iterator({ destroyOnReturn: false });
  const first = chunks.next();
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), kind === 'file' ? 60_000 : limits[kind]);
  const begun = await Promise.race([first, late.promise]);
  clearTimeout(timer);
  if (begun === 'late') {
    input.destroy();
    return undefined;
  }
  const decoder = new StringDecoder('utf8');
  let text = '';
  for (let next = begun; next.done !== true; next = await chunks.next())
    // What is beyond the bound is read and dropped: who writes it must not be stopped.
    if (text.length <= maxPipedChars) text += decoder.write(next.value as Buffer);
  return text + decoder.end();
}

function kindOfInput(): 'file' | 'pipe' | 'socket' | undefined {
  try {
    const found = fstatSync(0);
    return found.isFile() ? 'file' : found.isFIFO() ? 'pipe' : found.isSocket() ? 'socket' : undefined;
  } catch {
    return undefined;
  }
}
