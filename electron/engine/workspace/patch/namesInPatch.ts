import { readFileSync, statSync } from 'node:fs';
import { gitLineNames, headerName, quotedName } from './patchNames.ts';

const maxBytes = 2 * 1024 * 1024;

/** The text of a patch that lies in a file; nothing when it is none, is too large, or cannot be read. */
export function patchText(path: string): string | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Every name that a header of a patch, a mail or a series of them holds, as it stands there. More than are written, never fewer: a
 * line of a file that looks like a header counts too.
 */
export function namesInPatch(text: string): readonly string[] {
  const names = text.split('\n').flatMap((line): readonly string[] => {
    const [, kind, rest = ''] =
      /^(--- |\+\+\+ |\*\*\* |diff --git |(?:rename|copy) (?:from|to) |Index: ?)(.*?)\r?$/.exec(line) ?? [];
    if (kind === undefined) return [];
    if (kind !== 'diff --git ')
      return [kind.includes(' from') || kind.includes(' to') ? (quotedName(rest)?.name ?? rest) : headerName(rest)];
    const both = gitLineNames(rest);
    return both ? [both.oldName, both.newName] : [];
  });
  return [...new Set(names)].filter((name) => name !== '' && name !== '/dev/null');
}
