import type { StorageUse } from '../../shared/contract/storageApi.ts';
import { sizeWords } from '../../shared/text/sizeWords.ts';
import { forTerminal } from './base/forTerminal.ts';
import { exitCodes, type Io, refuse } from './base/io.ts';
import type { Parsed } from './base/parseFlags.ts';
import { withEngine } from './base/startEngine.ts';

const shownSessions = 20;

/** `vise storage [clean]`: what takes room in the state folder, and removing what nothing can reach any more. */
export function runStorage(parsed: Parsed, io: Io): Promise<number> {
  const [what] = parsed.words;
  const json = parsed.flags['json'] === true;
  return withEngine('storage', parsed, io, async ({ client }) => {
    if (what !== undefined && what !== 'clean') return refuse(io, 'storage', `"${what}" is not "clean".`);
    if (what === 'clean') {
      const cleaned = await client.call('storage.clean', {});
      if (!cleaned.ok) return refuse(io, 'storage', cleaned.error.message, exitCodes.failed);
      const { freedBytes, contents, outputs, callContents, leftovers } = cleaned.value;
      io.out(
        json
          ? `${JSON.stringify(cleaned.value)}\n`
          : `${sizeWords(freedBytes)} freed: contents that nothing names ${sizeWords(contents)}, outputs ${sizeWords(outputs)}, single calls ${sizeWords(callContents)}, leftovers ${sizeWords(leftovers)}.\n`,
      );
      return exitCodes.done;
    }
    const read = await client.call('storage.read', {});
    if (!read.ok) return refuse(io, 'storage', read.error.message, exitCodes.failed);
    io.out(json ? `${JSON.stringify(read.value)}\n` : forTerminal(storageWords(read.value)));
    return exitCodes.done;
  });
}

/** What takes room, by kind and session, in lines. */
export function storageWords({ folder, totalBytes, kinds, sessions }: StorageUse): string {
  const lines = [
    `${sizeWords(totalBytes)} in ${folder}`,
    '',
    ...kinds.map(
      ({ kind, sizeBytes, files }) => `${column(sizeBytes)}  ${kind} (${files} ${files === 1 ? 'file' : 'files'})`,
    ),
    ...(sessions.length > 0 ? [''] : []),
    ...sessions
      .slice(0, shownSessions)
      .map(
        ({ id, title, sizeBytes, updatedAt, archived }) =>
          `${column(sizeBytes)}  ${id}  ${updatedAt.slice(0, 10)}  ${title || '(untitled)'}${archived ? ' (archived)' : ''}`,
      ),
  ];
  if (sessions.length > shownSessions) lines.push(`… and ${sessions.length - shownSessions} more; --json lists all.`);
  return `${lines.join('\n')}\n`;
}

function column(bytes: number): string {
  return sizeWords(bytes).padStart(9);
}
