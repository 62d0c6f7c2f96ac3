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

/** Mails whose lines are not those that git reads: it decodes them, and joins what flows. */
const isEncoded =
  /^content-transfer-encoding:(?![ \t]*(?:7bit|8bit|binary)[ \t]*\r?$(?!\r?\n[ \t]))|\bformat\s*=\s*"?flowed/im;

/** As `patch` reads it: indented, behind marks of a quoted message, or plain. */
const header = /^(?:[ \tX]|- )*(--- |\+\+\+ |\*\*\* |diff --git |(?:rename|copy) (?:from|to) |Index: ?)(.*?)\r?$/;

const maxHeaderChars = 10_000;

/**
 * Every name that a header of a patch, a mail or a series of them holds, as it stands there. More than are written, never fewer: a
 * line of a file that looks like a header counts too. Undefined where they are none, encoded, or not to be told apart.
 */
export function namesInPatch(text: string): readonly string[] | undefined {
  if (isEncoded.test(text)) return undefined;
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    const [, kind, rest = ''] = header.exec(line) ?? [];
    if (kind === undefined) continue;
    if (line.length > maxHeaderChars) return undefined;
    if (kind === 'diff --git ') {
      const both = gitLineNames(rest);
      if (!both) return undefined;
      names.add(both.oldName).add(both.newName);
    } else if (/^(?:rename|copy) /.test(kind)) names.add(quotedName(rest)?.name ?? rest);
    else {
      names.add(headerName(rest));
      // `patch` ends a name at the first blank where no tab follows.
      if (!rest.startsWith('"')) names.add(rest.trimStart().split(/\s/)[0] ?? '');
    }
  }
  const written = [...names].filter((name) => name !== '' && name !== '/dev/null');
  return written.length === 0 ? undefined : written;
}
