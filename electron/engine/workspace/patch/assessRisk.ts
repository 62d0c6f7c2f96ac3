import { looksAbsolute } from '../pathRules.ts';
import { protectedPath } from '../protectedPath.ts';
import { countChanges, type Patch, type PatchStatus, pathOf } from './patch.ts';

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

/** Spec 002 section 10: what a person should look at twice. Reads nothing but the patch. */
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
    const longest = Math.max(
      0,
      ...file.hunks.map(({ oldLines, newLines }) => Math.max(oldLines, newLines)),
      ...(file.chunks ?? []).map(({ lines }) => lines.length),
    );
    if (longest > 50) medium.push(`${path} has a hunk of ${longest} lines`);
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
