/** A path that a block of code begins with, in a comment of its own, as models write it. */
const pathLine =
  /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:file(?:name)?:\s*)?([\w@.-]+(?:\/[\w@.-]+)*\.\w+)\s*(?:\*\/|-->)?\s*$/i;

/** The file that the block says it is of; empty where it says none. */
export function pathOfCode(text: string): string {
  return pathLine.exec(text.split('\n', 1)[0] ?? '')?.[1] ?? '';
}

/** The block without the line that only names its file. */
export function codeAlone(text: string): string {
  return pathOfCode(text) === '' ? text : text.slice(text.indexOf('\n') + 1 || text.length);
}

/**
 * The file with the block in the place of what it stands for: the lines from its first to its last one, or from its first
 * one to the end of the block that begins there. A block of most of the file's lines is the file. Undefined: no place is
 * certain. `file`: with any ends of lines, which stay.
 */
export function placeCode(file: string, code: string): string | undefined {
  const eol = file.includes('\r\n') ? '\r\n' : '\n';
  const block = trimmed(code.split(/\r?\n/));
  const lines = file.split(/\r?\n/);
  if (block.length === 0) return undefined;
  const whole = [...block, ''].join(eol);
  if (file.trim() === '') return whole;
  const [first = '', last = ''] = [block[0], block.at(-1)];
  const starts = lines.flatMap((line, index) => (line.trim() === first.trim() ? [index] : []));
  const [start] = starts;
  if (start !== undefined && starts.length === 1) {
    const end = endOf(lines, start, last);
    if (end !== undefined && !(start === 0 && isWhole(lines, block))) {
      const moved = indented(block, indentOf(first), indentOf(lines[start] ?? ''));
      return [...lines.slice(0, start), ...moved, ...lines.slice(end + 1)].join(eol);
    }
  }
  return isWhole(lines, block) ? whole : undefined;
}

/** Whether most lines of the file stand in the block. */
function isWhole(lines: readonly string[], block: readonly string[]): boolean {
  const own = new Set(block.map((line) => line.trim()));
  const said = lines.map((line) => line.trim()).filter((line) => line.length > 1);
  return said.length > 0 && said.filter((line) => own.has(line)).length * 2 > said.length;
}

/** Where what begins at `start` ends: at the first line as deep that is the block's last one, or closes it. */
function endOf(lines: readonly string[], start: number, last: string): number | undefined {
  const depth = indentOf(lines[start] ?? '').length;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (at > start && line.trim() !== '' && indentOf(line).length < depth) break;
    const isAsDeep = indentOf(line).length === depth;
    if (line.trim() === last.trim() && (at > start || isAsDeep) && isAsDeep) return at;
    if (at > start && isAsDeep && /^\s*(?:[)\]}]|end\b)/.test(line)) return at;
  }
  // A block by its depth, as in Python: up to the next line that is as shallow as its first.
  const next = lines.findIndex((line, at) => at > start && line.trim() !== '' && indentOf(line).length <= depth);
  const isDeeper = indentOf(lines[start + 1] ?? '').length > depth;
  if (!isDeeper) return undefined;
  const end = (next === -1 ? lines.length : next) - 1;
  return lines.findLastIndex((line, at) => at <= end && line.trim() !== '');
}

const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? '';

function indented(block: readonly string[], from: string, to: string): readonly string[] {
  return block.map((line) => (line.startsWith(from) && line.trim() !== '' ? to + line.slice(from.length) : line));
}

/** Without empty lines before and behind. */
function trimmed(lines: readonly string[]): readonly string[] {
  const isSaid = (line: string): boolean => line.trim() !== '';
  return lines.slice(Math.max(0, lines.findIndex(isSaid)), lines.findLastIndex(isSaid) + 1);
}
