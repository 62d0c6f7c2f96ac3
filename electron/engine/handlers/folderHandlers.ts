import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { OutputOf } from '../../../shared/contract/api.ts';
import { fail, ok } from '../../../shared/result.ts';
import { describeError } from '../base/log.ts';
import type { StatusFile, StatusWord } from '../git/parseStatus.ts';
import { openRepository } from '../git/repository.ts';
import { findPaths } from '../project/findPaths.ts';
import { realFolder } from '../project/projects.ts';
import type { Handlers } from '../serve.ts';
import { readStatus } from '../tools/git/gitStatus.ts';
import { type HandlerDeps, withProject } from './handlerDeps.ts';

type Methods = 'folder.list' | 'file.list' | 'file.marks' | 'file.read' | 'file.locate' | 'file.find';

const maxFolders = 1000;
const maxEntries = 2000;
/** What makes a folder look like a project in the folder picker. */
const projectMarks = ['.git', 'package.json', 'Cargo.toml', 'go.mod', 'pyproject.toml', 'pom.xml', 'Makefile'];

/** Looking at folders and files for the window: choosing a project, the tree, the viewer, completion of @-mentions. */
export function folderHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  return {
    async 'folder.list'({ path }) {
      const real = realFolder(path ?? homedir());
      if (!real.ok) return real;
      try {
        const entries = await readdir(real.value, { withFileTypes: true });
        const folders = entries
          .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
          .slice(0, maxFolders)
          .map(({ name }) => {
            const at = join(real.value, name);
            return { name, path: at, project: projectMarks.some((mark) => existsSync(join(at, mark))) };
          })
          .toSorted((a, b) => a.name.localeCompare(b.name));
        const parent = dirname(real.value);
        return ok({ path: real.value, parent: parent === real.value ? null : parent, folders });
      } catch (error) {
        return fail('UNAVAILABLE', `${real.value} cannot be listed: ${describeError(error)}`);
      }
    },
    'file.list': ({ project, path }) =>
      withProject(deps, project, async ({ look }) => {
        const listed = await look.list(path, { limit: maxEntries });
        if (!listed.ok) return listed;
        const entries = await Promise.all(
          listed.value.entries.map(async (entry) => {
            const ignored = await look.isIgnored(entry.path);
            const kind = entry.type === 'directory' || entry.type === 'symlink' ? entry.type : ('file' as const);
            return { name: entry.name, path: entry.path, kind, ignored: ignored.ok && ignored.value };
          }),
        );
        return ok({ entries, truncated: listed.value.truncated });
      }),
    'file.marks': ({ project }) =>
      withProject(deps, project, async ({ git, sandbox }) => {
        const repository = await openRepository(git, sandbox, '.');
        const status = repository.ok ? await readStatus(repository.value) : repository;
        // Outside a repository, and where git has no answer, there is nothing to mark.
        return ok({ marks: status.ok ? marksOf(status.value.files.slice(0, maxEntries)) : {} });
      }),
    'file.read': ({ project, path }) =>
      withProject<OutputOf<'file.read'>>(deps, project, async ({ look }) => {
        const facts = await look.stat(path);
        if (!facts.ok) return facts;
        const text = await look.readText(path);
        if (text.ok) return ok({ text: text.value.text, sizeBytes: text.value.sizeBytes });
        const { code, message } = text.error;
        return ok({
          text: null,
          sizeBytes: facts.value.sizeBytes,
          why: code === 'FILE_TOO_LARGE' ? undefined : message,
        });
      }),
    'file.locate': ({ project, from, paths }) =>
      withProject(deps, project, async ({ look }) => {
        const found = await Promise.all(
          paths.map(async (path) => {
            const place = await look.resolve(path, from);
            return place.ok && place.value.kind === 'file' ? place.value.relative : null;
          }),
        );
        return ok({ found });
      }),
    'file.find': ({ project, query, limit }) =>
      withProject(deps, project, async ({ look }) => {
        const found = await findPaths(look, query, limit);
        return found.ok ? ok({ paths: found.value }) : found;
      }),
  };
}

/** Of the files, and of each folder above them: a conflict outweighs a change, and that what is only new. */
function marksOf(files: readonly Pick<StatusFile, 'path' | 'status'>[]): Readonly<Record<string, StatusWord>> {
  const marks: Record<string, StatusWord> = {};
  const weightOf = (word: StatusWord | undefined): number =>
    word === undefined ? 0 : word === 'conflicted' ? 3 : word === 'untracked' || word === 'added' ? 1 : 2;
  for (const { path, status } of files) {
    marks[path] = status;
    const ofFolder = status === 'deleted' || status === 'renamed' ? 'modified' : status;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (weightOf(ofFolder) > weightOf(marks[folder])) marks[folder] = ofFolder;
    }
  }
  return marks;
}
