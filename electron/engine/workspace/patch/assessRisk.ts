import { looksAbsolute } from '../pathRules.ts';
import { protectedPath } from '../protectedPath.ts';
import { countChanges, type Patch, type PatchFile, type PatchStatus, pathOf } from './patch.ts';

export interface PatchRisk {
  readonly riskLevel: 'low' | 'medium' | 'high';
  readonly warnings: readonly string[];
  readonly isBinary: boolean;
  readonly affectsMultipleFiles: boolean;
  /** Added plus removed lines. */
  readonly totalChanges: number;
  readonly files: readonly {
    readonly path: string;
    readonly status: PatchStatus;
    readonly hunkCount: number;
    readonly additions: number;
    readonly deletions: number;
  }[];
}

/** Names whose content is secret or decides what is installed or run. */
const sensitive =
  /(?:^|\/)(?:\.env(?:\.[^/]*)?|package-lock\.json|yarn\.lock|pnpm-lock\.yaml|npm-shrinkwrap\.json|bun\.lockb?)$|credential|secret|private|\.(?:pem|key)$/i;

/** Where a test begins, in the languages whose files are told apart by name. */
const testBegins =
  /^\s*(?:(?:test|it|describe|context)(?:\.\w+)*\s*\(|(?:it|test|describe)\s+['"]|(?:async )?def test_|func Test\w*\(|#\[(?:\w+::)?test\b|@(?:Parameterized)?Test\b|\[(?:Fact|Theory|Test|TestMethod)\b|TEST(?:_F|_P)?\()/;
const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?)\/|[._-](?:test|spec)s?\.[^/]+$|(?:^|\/)test_[^/]+$|(?:[a-z\d]|\/|^)Tests?\.\w+$/;

/** By how many test cases a file of tests gets poorer. */
function lostTests(file: PatchFile): number {
  if (!testPath.test(file.oldPath ?? '')) return 0;
  const lines = [...file.hunks, ...(file.chunks ?? [])].flatMap((hunk) => hunk.lines);
  const begun = (sign: string) =>
    lines.filter((line) => line.startsWith(sign) && testBegins.test(line.slice(1))).length;
  return begun('-') - begun('+');
}

function longestSide({ hunks, chunks = [] }: PatchFile): number {
  const sides = chunks.flatMap(({ lines }) =>
    ['+', '-'].map((other) => lines.filter((line) => !line.startsWith(other)).length),
  );
  return [...hunks.flatMap(({ oldLines, newLines }) => [oldLines, newLines]), ...sides].reduce(
    (most, count) => Math.max(most, count),
    0,
  );
}

/** What a person should look at twice. Reads nothing but the patch. */
export function assessRisk(patch: Patch): PatchRisk {
  const high: string[] = [];
  const medium: string[] = [];
  for (const file of patch.files) {
    const path = pathOf(file);
    if (file.isBinary) high.push(`${path} is changed as binary`);
    if (file.status === 'deleted') high.push(`${path} is deleted`);
    for (const name of new Set([file.oldPath, file.newPath])) {
      if (name === null) continue;
      if (looksAbsolute(name) || name.split(/[\\/]/).includes('..')) high.push(`${name} is outside the project`);
      const reason = protectedPath(name);
      if (reason) high.push(`${name}: ${reason}`);
      else if (sensitive.test(name)) high.push(`${name} has a sensitive name`);
    }
    if ([file.oldMode, file.newMode].some((mode) => mode === '120000' || mode === '160000'))
      high.push(`${path} is a symbolic link or a submodule`);
    const longest = longestSide(file);
    if (longest > 50) medium.push(`${path} has a hunk of ${longest} lines`);
    if (file.newMode === '100755' && file.oldMode !== '100755') medium.push(`${path} becomes executable`);
    const lost = lostTests(file);
    if (lost > 0) medium.push(`${path} loses ${lost} ${lost === 1 ? 'test' : 'tests'}`);
  }
  if (patch.files.length > 3) medium.push(`${patch.files.length} files are changed`);
  const files = patch.files.map((file) => ({
    path: pathOf(file),
    status: file.status,
    hunkCount: file.hunks.length + (file.chunks?.length ?? 0),
    ...countChanges(file),
  }));
  return {
    riskLevel: high.length > 0 ? 'high' : medium.length > 0 ? 'medium' : 'low',
    warnings: [...high, ...medium],
    isBinary: patch.files.some(({ isBinary }) => isBinary),
    affectsMultipleFiles: patch.files.length > 1,
    totalChanges: files.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0),
    files,
  };
}
