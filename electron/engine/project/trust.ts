import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { namedFiles, projectHooks } from './hookSettings.ts';

export interface Risk {
  readonly kind: 'spec' | 'mcp' | 'rules' | 'hook' | 'instructions';
  /** Relative to the project. */
  readonly path: string;
  /** What it could do, for the trust dialog. */
  readonly what: string;
}

interface Source {
  readonly kind: Risk['kind'];
  readonly path: string;
  /** Only files that end so; a folder is looked through two levels deep. */
  readonly ending?: string;
  readonly what: string;
}

const sources: readonly Source[] = [
  { kind: 'spec', path: '.cli-bridge/specs', ending: '.json', what: 'turns a program into tools of the agent' },
  { kind: 'mcp', path: '.mcp.json', what: 'names tool servers that would be started' },
  { kind: 'rules', path: '.vise/rules.json', what: 'has rules that answer questions for you' },
  { kind: 'hook', path: '.git/hooks', what: 'would be run by git' },
  { kind: 'hook', path: '.husky', what: 'would be run by git' },
  { kind: 'hook', path: '.vise/hooks', what: 'would be run by hooks of the agent' },
  { kind: 'hook', path: '.claude/hooks', what: 'would be run by hooks of the agent' },
  { kind: 'instructions', path: 'AGENTS.md', what: 'gives instructions to the agent' },
  { kind: 'instructions', path: 'CLAUDE.md', what: 'gives instructions to the agent' },
  { kind: 'instructions', path: '.github/copilot-instructions.md', what: 'gives instructions to the agent' },
  { kind: 'instructions', path: 'PROJECT.md', what: 'gives instructions to the agent' },
  ...['.vise', '.claude'].flatMap((folder): readonly Source[] => [
    { kind: 'instructions', path: `${folder}/skills`, ending: '.md', what: 'describes work that the agent looks up' },
    { kind: 'instructions', path: `${folder}/commands`, ending: '.md', what: 'is a command that you can give' },
  ]),
];

const maxFiles = 500;
const maxBytes = 1024 * 1024;

/**
 * What opening this folder could run or steer, and one hash over all of it: trust is bound to this content (J1, J2).
 * Sample hooks that git never runs are left out. Links are named by where they point and not followed. `gitHome`: the
 * folder whose `.git` git obeys in this one, where that is another.
 */
export async function projectRisks(
  project: string,
  gitHome = project,
): Promise<{ readonly hash: string; readonly risks: readonly Risk[] }> {
  const hash = createHash('sha256');
  const risks: Risk[] = [];
  for (const source of sources) {
    const folder = source.path.startsWith('.git/') ? gitHome : project;
    for (const path of await filesOf(folder, source)) {
      if (source.kind === 'hook' && path.endsWith('.sample')) continue;
      if (risks.length >= maxFiles) break;
      risks.push({ kind: source.kind, path, what: source.what });
      hash.update(`${source.kind}\0${path}\0`).update(await contentMark(join(folder, path)));
    }
  }
  const named = await programsOfGit(project, gitHome);
  if (named.lines.length > 0) {
    risks.push({ kind: 'hook', path: '.git/config', what: 'names programs that git runs' });
    hash.update(named.lines.join('\n'));
  }
  for (const path of named.hooks) {
    risks.push({ kind: 'hook', path, what: 'would be run by git' });
    hash.update(`hook\0${path}\0`).update(await contentMark(join(project, path)));
  }
  for (const { path, mark, hooks } of projectHooks(project)) {
    risks.push({ kind: 'hook', path, what: 'names commands that run beside what the agent does' });
    hash.update(`hooks\0${path}\0${mark}`);
    for (const file of new Set(hooks.flatMap(({ command }) => namedFiles(project, command)))) {
      if (!risks.some((risk) => risk.path === file))
        risks.push({ kind: 'hook', path: file, what: 'would be run by hooks of the agent' });
      hash.update(`hook\0${file}\0`).update(await contentMark(join(project, file)));
    }
  }
  return { hash: hash.digest('hex'), risks };
}

/** Keys of git's configuration that name a program, a folder of them, or another file of configuration (git-config(1)). */
const programKey =
  /^\s*(?:hooksPath|fsmonitor|sshCommand|gitProxy|pager|editor|askPass|textconv|command|driver|clean|smudge|process|helper|external|program|cmd|tool|path|worktreeConfig|uploadpack|receivepack)\s*=/i;
const wholeSections = /^\s*\[\s*(?:alias|include|includeIf)\b/i;

/** The lines of the repository's configuration that name programs, and the hooks of a folder of the project that it names. */
async function programsOfGit(
  project: string,
  gitHome: string,
): Promise<{ readonly lines: readonly string[]; readonly hooks: readonly string[] }> {
  const text = await readFile(join(gitHome, '.git', 'config'), 'utf8').catch(() => '');
  const lines: string[] = [];
  let isWhole = false;
  for (const line of text.split('\n')) {
    if (/^\s*\[/.test(line)) isWhole = wholeSections.test(line);
    if (isWhole || programKey.test(line)) lines.push(line.trim());
  }
  const folder = /^hooksPath\s*=\s*"?([^"#;]+?)"?$/i.exec(lines.find((line) => /^hooksPath/i.test(line)) ?? '')?.[1];
  // Husky's own folder is listed in any case, one outside the project is not the project's.
  const isListed = folder === undefined || folder.startsWith('/') || folder.startsWith('.husky');
  const hooks = isListed ? [] : await filesOf(project, { kind: 'hook', path: folder, what: '' });
  return { lines, hooks };
}

async function filesOf(project: string, source: Source): Promise<readonly string[]> {
  const info = await lstat(join(project, source.path)).catch(() => undefined);
  if (!info) return [];
  if (!info.isDirectory()) return [source.path];
  const found: string[] = [];
  const visit = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(project, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth > 1) await visit(path, depth - 1);
      } else if (source.ending === undefined || entry.name.endsWith(source.ending)) found.push(path);
      if (found.length >= maxFiles) return;
    }
  };
  await visit(source.path, 2);
  return found;
}

async function contentMark(path: string): Promise<string> {
  const info = await lstat(path).catch(() => undefined);
  if (!info) return 'gone';
  if (info.isSymbolicLink()) return `link ${await readlink(path).catch(() => '')}`;
  if (!info.isFile()) return 'special';
  const bytes = info.size <= maxBytes ? await readFile(path).catch(() => undefined) : undefined;
  return bytes ? createHash('sha256').update(bytes).digest('hex') : `large ${info.size} ${info.mtimeMs}`;
}
