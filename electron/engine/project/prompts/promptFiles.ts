import { type Dirent, existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { readFrontmatter } from './frontmatter.ts';

/** A text that is asked for by its name: a command by the person (`/name`), a skill by the person or the agent. */
export interface PromptFile {
  readonly kind: 'command' | 'skill';
  readonly name: string;
  readonly about: string;
  /** What may follow a command's name, for the list. */
  readonly hint: string;
  readonly origin: 'user' | 'project';
  readonly body: string;
  /** Of a skill: the folder with its other files. */
  readonly folder: string;
}

export interface PromptFiles {
  /** The person's own first, then the project's if its content is trusted; of several with one name the first counts. */
  list(): Promise<readonly PromptFile[]>;
  find(name: string): Promise<PromptFile | undefined>;
  /** A file beside a skill's own. Errors: PATH_TRAVERSAL_DETECTED, FILE_NOT_FOUND, FILE_TOO_LARGE, BINARY_FILE. */
  readBeside(skill: PromptFile, path: string): Promise<Result<string>>;
  /** Names of files beside a skill's own, relative to its folder. */
  filesBeside(skill: PromptFile): Promise<readonly string[]>;
}

export interface PromptFilesDeps {
  readonly project: string;
  /** The folder of the user's configuration. */
  readonly config: string;
  /** Whether the project is trusted with its content as it is now. */
  readonly trusted: () => Promise<boolean>;
}

const projectFolders = ['.vise', '.claude'] as const;
const maxFiles = 200;
const maxBytes = 64 * 1024;
const maxAboutChars = 500;
const maxHintChars = 100;

/** Commands (`commands/*.md`, also in folders) and skills (`skills/NAME/SKILL.md`), read anew each time. */
export function createPromptFiles({ project, config, trusted }: PromptFilesDeps): PromptFiles {
  const list = async (): Promise<readonly PromptFile[]> => {
    const found = await readPlace(config, config, 'user');
    // Hashing what is trusted costs more than looking whether there is anything.
    if (projectFolders.some((folder) => existsSync(join(project, folder))) && (await trusted()))
      for (const folder of projectFolders) found.push(...(await readPlace(join(project, folder), project, 'project')));
    const byName = new Map<string, PromptFile>();
    for (const file of found) if (!byName.has(file.name)) byName.set(file.name, file);
    return [...byName.values()];
  };
  return {
    list,
    find: async (name) => (await list()).find((file) => file.name === name),
    async readBeside({ folder }, path) {
      const place = await insidePath(folder, join(folder, path));
      if (place === 'outside') return fail('PATH_TRAVERSAL_DETECTED', `${path} lies outside of the skill.`);
      const info = place === undefined ? undefined : await stat(place).catch(() => undefined);
      if (place === undefined || !info?.isFile()) return fail('FILE_NOT_FOUND', `The skill has no file ${path}.`);
      if (info.size > maxBytes) return fail('FILE_TOO_LARGE', `${path} is larger than ${maxBytes} bytes.`);
      const text = await readText(place);
      return text === undefined ? fail('BINARY_FILE', `${path} is no text.`) : ok(text);
    },
    async filesBeside({ folder }) {
      const names = await filesBelow(folder, 3);
      return names.filter((name) => name !== 'SKILL.md');
    },
  };
}

async function readPlace(place: string, root: string, origin: PromptFile['origin']): Promise<PromptFile[]> {
  const found: PromptFile[] = [];
  const commands = join(place, 'commands');
  for (const path of await filesBelow(commands, 2)) {
    if (!path.endsWith('.md')) continue;
    const name = path.slice(0, -'.md'.length).replaceAll('/', ':');
    const file = await readPrompt(join(commands, path), root);
    if (file && isName(name)) found.push({ ...file, kind: 'command', name, origin, folder: commands });
  }
  const skills = join(place, 'skills');
  for (const path of await filesBelow(skills, 2)) {
    if (basename(path) !== 'SKILL.md' || path.split('/').length !== 2) continue;
    const folder = join(skills, path.slice(0, path.indexOf('/')));
    const file = await readPrompt(join(skills, path), root);
    const name = file?.name ?? basename(folder);
    // A skill is chosen by what it says that it is for.
    if (file && file.isDescribed && isName(name)) found.push({ ...file, kind: 'skill', name, origin, folder });
  }
  return found;
}

function isName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}_.:-]{0,63}$/u.test(name);
}

async function readPrompt(path: string, root: string) {
  const place = await insidePath(root, path);
  if (place === undefined || place === 'outside') return undefined;
  const info = await stat(place).catch(() => undefined);
  const text = info?.isFile() && info.size <= maxBytes ? await readText(place) : undefined;
  if (text === undefined || text.trim() === '') return undefined;
  const { fields, body } = readFrontmatter(text);
  const described = fields.get('description') ?? '';
  const about = described || (body.split('\n').find((line) => line.trim() !== '') ?? '').replace(/^#+\s*/, '');
  return {
    name: fields.get('name'),
    isDescribed: described !== '',
    about: about.slice(0, maxAboutChars),
    hint: (fields.get('argument-hint') ?? '').slice(0, maxHintChars),
    body,
  };
}

/** Relative names with forward slashes, in order; links to folders are not followed. */
async function filesBelow(folder: string, depth: number): Promise<readonly string[]> {
  // Each request looks: at once where there is nothing, which is most often.
  if (!existsSync(folder)) return [];
  const found: string[] = [];
  const visit = async (below: string, left: number): Promise<void> => {
    const entries: Dirent[] = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= maxFiles) return;
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (!entry.isDirectory()) found.push(path);
      else if (left > 1) await visit(path, left - 1);
    }
  };
  await visit('', depth);
  return found;
}

/** The real path; undefined when there is nothing, `outside` when it leads out of the folder. */
async function insidePath(root: string, path: string): Promise<string | undefined> {
  const [top, real] = await Promise.all([realpath(root), realpath(path)]).catch(() => []);
  if (top === undefined || real === undefined) return relative(root, path).startsWith('..') ? 'outside' : undefined;
  const way = relative(top, real);
  return way === '..' || way.startsWith(`..${sep}`) ? 'outside' : real;
}

async function readText(place: string): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(place));
  } catch {
    return undefined;
  }
}

/**
 * What a message that begins with `/name` asks for, with what follows filled in: `$ARGUMENTS` is all of it, `$1` to `$9` its
 * words. Where a command names no place for them, they stand behind it.
 */
export function fillIn({ body }: Pick<PromptFile, 'body'>, given: string): string {
  const args = given.trim();
  const words = [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  let isPlaced = false;
  const text = body.replaceAll(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/g, (_all, place?: string) => {
    isPlaced = true;
    return place === undefined ? args : (words[Number(place) - 1] ?? '');
  });
  return isPlaced || args === '' ? text : `${text}\n\nARGUMENTS: ${args}`;
}
