import type { Client } from '../../../shared/contract/client.ts';
import type { Task } from '../../../shared/model/task.ts';
import { fileLinksIn } from './fileLinks.ts';

/** Somewhere that an output points to. */
export type Place =
  | {
      readonly kind: 'file';
      readonly label: string;
      readonly path: string;
      readonly line: number;
      readonly column: number;
    }
  | { readonly kind: 'address'; readonly label: string; readonly url: string };

const lookedAtBytes = 64_000;
const mostPlaces = 20;
const address = /https?:\/\/[^\s"'<>()[\]{}`│]+[^\s"'<>()[\]{}`│.,;:!?]/g;

/** The addresses and places of files in a text, the last one first, each once. Whether the files exist is not known here. */
export function placesIn(text: string): readonly Place[] {
  const found = text.split('\n').flatMap((line): Place[] => [
    ...fileLinksIn(line).map(({ path, line: number, column = 1 }) => ({
      kind: 'file' as const,
      label: `${path}:${number}:${column}`,
      path,
      line: number,
      column,
    })),
    ...[...line.matchAll(address)].map(([url]) => ({ kind: 'address' as const, label: url, url })),
  ]);
  return [...new Map(found.toReversed().map((place) => [place.label, place])).values()];
}

/** Where the end of a task's output points to: files of the project and web addresses, the newest first. */
export async function placesOf(
  client: Client,
  { session, project, task }: { readonly session: string; readonly project: string; readonly task: Task },
): Promise<readonly Place[]> {
  const target = { session, task: task.id, maxBytes: lookedAtBytes };
  const start = await client.call('task.log', { ...target, offset: 0 });
  if (!start.ok) return [];
  const offset = start.value.sizeBytes - lookedAtBytes;
  const end = offset > 0 ? await client.call('task.log', { ...target, offset }) : start;
  if (!end.ok) return [];
  const places = placesIn(end.value.text);
  const named = places.flatMap((place) => (place.kind === 'file' ? [place.path] : [])).slice(0, 50);
  const located = await client.call('file.locate', { project, from: task.cwd, paths: named });
  const files = new Map(named.map((path, index) => [path, located.ok ? located.value.found[index] : null]));
  return places
    .flatMap((place): Place[] => {
      if (place.kind === 'address') return [place];
      const path = files.get(place.path);
      return path ? [{ ...place, path, label: `${path}:${place.line}:${place.column}` }] : [];
    })
    .slice(0, mostPlaces);
}
