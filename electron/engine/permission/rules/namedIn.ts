import { posix } from 'node:path';
import { type CommandPart, isLiteral, type Word } from '../commandParts/types.ts';
import { programName } from '../commandParts/wrapperTable.ts';
import { alternatives, joined, type Surroundings } from '../danger/places.ts';
import { isUnknown, pathTexts } from '../danger/values.ts';
import { freePrograms } from '../readOnly/programs.ts';
import { hostsIn } from './hostsIn.ts';
import type { Unit } from './unit.ts';

export interface NamedWhere {
  readonly folders: readonly string[];
  readonly around: Surroundings;
  readonly project: string;
}

/** Programs for which a word is only a text. */
const speakers = /^(?:echo|printf|true|false|:|test|\[|\[\[|sleep|seq|kill|exit|return|expr)$/;

/** Paths and hosts among the words and the files that are written, for rules that forbid. What a word may become when it runs is named as well. */
export function namedIn(
  part: CommandPart,
  written: readonly Word[],
  { folders, around, project }: NamedWhere,
): readonly Unit[] {
  const name = programName(part.argv[0] ?? '');
  const assigned = part.assignments.map(({ value }) => value);
  const words = [...assigned, ...part.words.slice(1), ...part.redirects.map(({ word }) => word), ...written];
  const units = new Map<string, Unit>();
  const add = (unit: Unit): void => {
    const key = unit.kind === 'path' ? `path ${unit.path}` : unit.kind === 'host' ? `host ${unit.host}` : unit.kind;
    if (!units.has(key)) units.set(key, unit);
  };
  for (const word of words) {
    if (!isLiteral(word) && speakers.test(name) && !written.includes(word)) continue;
    for (const text of isLiteral(word) ? [word.value] : pathTexts(word, around)) {
      if (isUnknown(text)) {
        add({ kind: 'path', path: null, part });
        if (!freePrograms.has(name)) add({ kind: 'host', host: '', isGuess: true });
        continue;
      }
      const isPattern = !isLiteral(word) && /[*?[{]/.test(text);
      for (const form of isLiteral(word) ? [text] : alternatives(text)) {
        const { hosts, isAddress } = hostsIn(form, name);
        for (const host of hosts) add({ kind: 'host', ...host });
        const path = form.replace(/^--?[\w-]+=/, '');
        if (form === '/dev/null' || isAddress || path === '' || path.startsWith('-')) continue;
        for (const folder of folders) {
          add({
            kind: 'path',
            path: projectPath(path, folder, project),
            part,
            ...(isPattern ? { isPattern: true } : {}),
          });
        }
      }
    }
  }
  return [...units.values()];
}

/** Relative to the project (forward slashes) when it lies inside, else absolute. */
export function projectPath(path: string, folder: string, project: string): string {
  const forward = path.replaceAll('\\', '/');
  const full = joined(folder.replaceAll('\\', '/'), forward);
  const root = posix.normalize(project.replaceAll('\\', '/')).replace(/(?<=.)\/$/, '');
  if (full === root) return '.';
  return full.startsWith(`${root}/`) ? full.slice(root.length + 1) : full;
}
