import { languageOf } from '../symbols/languages.ts';
import { sourceOf } from './entryPoints.ts';
import { scoreFile } from './scoreFile.ts';

/** What a file is for whoever describes a project, in the order of reading. */
export const kinds = ['about', 'entry', 'source', 'docs', 'other', 'test', 'made'] as const;
export type Kind = (typeof kinds)[number];

/** Share of all characters that one kind may take: tests and documents tell the rest in few examples. */
export const shareOf: Readonly<Record<Kind, number>> = {
  about: 0.35,
  entry: 0.5,
  source: 0.65,
  docs: 0.15,
  other: 0.1,
  test: 0.08,
  made: 0,
};
/** And how many files. */
export const countOf: Readonly<Record<Kind, number>> = {
  about: 16,
  entry: 12,
  source: 80,
  docs: 6,
  other: 12,
  test: 4,
  made: 0,
};

const about =
  /^(?:readme(?:\.\w+)?|agents\.md|claude\.md|architecture\.md|contributing\.md|package\.json|tsconfig\.json|pyproject\.toml|setup\.py|setup\.cfg|requirements\.txt|cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|cmakelists\.txt|makefile|dockerfile|docker-compose\.ya?ml|composer\.json|gemfile)$/i;
/** Below these folders lie tests and what belongs to them, and programs that only show how to use the project. */
const testFolder =
  /^(?:tests?|__tests__|specs?|fixtures?|__fixtures__|mocks?|__mocks__|testdata|snapshots?|__snapshots__|e2e|integration|examples?|samples?|demos?|bench|benchmarks?)$/i;
const testName = /[._-](?:test|spec|tst)s?\.[^/]+$|(?:^|\/)(?:test_[^/]+|conftest\.py)$|(?:[a-z\d]|^)Tests?\.\w+$/;
const docs = /\.(?:md|mdx|rst|adoc|txt)$/i;
/** Says nothing about what the project is. */
const dull =
  /^(?:licen[cs]e|copying|notice|changelog|history|changes|authors|code_of_conduct|governance|security|sponsors)[^/]*$/i;

/** The name alone decides; entry points are known by their manifest. */
export function kindOf(path: string, entries: ReadonlySet<string>, has: (path: string) => boolean): Kind {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  if (entries.has(path)) return 'entry';
  const isTest = folders.some((folder) => testFolder.test(folder)) || testName.test(name);
  if (about.test(name) && !isTest && folders.length <= 2 && (folders.length === 0 || name !== 'tsconfig.json'))
    return 'about';
  // Of one byte: from 50,000 on the name or a folder says that it was made or brought, not written.
  if (scoreFile(path, 1) >= 50_000 || sourceOf(path, has) !== undefined) return 'made';
  if (isTest) return 'test';
  if (dull.test(name)) return 'made';
  if (languageOf(path))
    return /\.d\.[cm]?ts$/.test(name) && has(path.replace(/\.d(\.[cm]?)ts$/, '$1js')) ? 'made' : 'source';
  return docs.test(name) ? 'docs' : 'other';
}

export interface RankedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly kind: Kind;
}

/**
 * The order of reading: by kind; about the project what lies highest first, entry points as they are named, sources by how many others
 * import them, the rest by the score of their name and size.
 */
export function rankFiles(
  files: readonly RankedFile[],
  entries: readonly string[],
  importedBy: ReadonlyMap<string, number>,
): readonly RankedFile[] {
  const depth = (path: string) => path.split('/').length;
  const weight = ({ kind, path, sizeBytes }: RankedFile): number => {
    if (kind === 'about') return depth(path) * 10 + (/^(?:readme|agents|claude)/i.test(path) ? 0 : 1);
    if (kind === 'entry') return entries.indexOf(path);
    if (kind === 'source') return -(importedBy.get(path) ?? 0);
    // An empty test shows nothing.
    return kind === 'test' && sizeBytes < 300 ? Number.MAX_SAFE_INTEGER : 0;
  };
  return files
    .map((file) => ({
      file,
      kind: kinds.indexOf(file.kind),
      weight: weight(file),
      score: scoreFile(file.path, file.sizeBytes),
    }))
    .toSorted(
      (a, b) => a.kind - b.kind || a.weight - b.weight || a.score - b.score || (a.file.path < b.file.path ? -1 : 1),
    )
    .map(({ file }) => file);
}
