const letters: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A C string in double quotes at the beginning of the text, as git writes unusual names: the name and what follows. */
export function quotedName(text: string): { readonly name: string; readonly rest: string } | undefined {
  if (!text.startsWith('"')) return undefined;
  const bytes: Buffer[] = [];
  for (let index = 1; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '"') return { name: Buffer.concat(bytes).toString('utf8'), rest: text.slice(index + 1) };
    if (character !== '\\') {
      const point = String.fromCodePoint(text.codePointAt(index) ?? 0);
      bytes.push(Buffer.from(point));
      index += point.length - 1;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(index + 1, index + 4))?.[0];
    if (octal !== undefined) {
      bytes.push(Buffer.from([Number.parseInt(octal, 8)]));
      index += 3;
      continue;
    }
    const letter = letters[text[index + 1] ?? ''];
    if (letter === undefined) return undefined;
    bytes.push(Buffer.from([letter]));
    index += 1;
  }
  return undefined;
}

/** The name of a `---` or `+++` line: quoted, or up to a tab (a time stands behind it), or up to a time behind a blank. */
export function headerName(text: string): string {
  const quoted = quotedName(text);
  if (quoted) return quoted.name;
  const written = text.split('\t')[0] ?? '';
  const time = /\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: [+-]\d{4})?$/.exec(written);
  const hasTime = time !== null && /\s/.test(written.charAt(time.index - 1));
  const name = (hasTime ? written.slice(0, time.index) : written).trimEnd();
  // Models put a prefix in front of the null device as well.
  return /^[ab]\/dev\/null$/.test(name) ? '/dev/null' : name;
}

/** Both names of a `diff --git` line. Unquoted names with blanks are told apart by being the same on both sides. */
export function gitLineNames(text: string): { readonly oldName: string; readonly newName: string } | undefined {
  const first = quotedName(text);
  if (first) {
    const rest = first.rest.trimStart();
    return { oldName: first.name, newName: quotedName(rest)?.name ?? rest };
  }
  const secondQuote = text.indexOf(' "');
  if (secondQuote !== -1) {
    const second = quotedName(text.slice(secondQuote + 1));
    if (second) return { oldName: text.slice(0, secondQuote), newName: second.name };
  }
  const plain = text.trimEnd();
  for (let at = plain.indexOf(' '); at !== -1; at = plain.indexOf(' ', at + 1)) {
    const [oldName, newName] = [plain.slice(0, at), plain.slice(at + 1)];
    const names = withoutPrefixes(oldName, newName);
    if (names.oldName === names.newName) return { oldName, newName };
  }
  const parts = plain.split(' ');
  return parts.length === 2 ? { oldName: parts[0] ?? '', newName: parts[1] ?? '' } : undefined;
}

/** Pairs that git writes: the usual one, and those of diff.mnemonicPrefix. */
const prefixPairs = [
  ['a/', 'b/'],
  ['i/', 'w/'],
  ['c/', 'i/'],
  ['c/', 'w/'],
  ['o/', 'w/'],
] as const;

/** Drops `a/` and `b/` when both sides have theirs, or the other side is `/dev/null`. */
export function withoutPrefixes(
  oldName: string,
  newName: string,
): { readonly oldName: string; readonly newName: string } {
  for (const [a, b] of prefixPairs) {
    const oldFits = oldName === '/dev/null' || oldName.startsWith(a);
    const newFits = newName === '/dev/null' || newName.startsWith(b);
    // The rarer pairs count only where both names agree behind them: `c/main.c` may well be a real folder.
    const isSure =
      a === 'a/' || oldName === '/dev/null' || newName === '/dev/null' || oldName.slice(2) === newName.slice(2);
    if (oldFits && newFits && isSure && (a === 'a/' || (oldName !== '/dev/null' && newName !== '/dev/null'))) {
      return {
        oldName: oldName === '/dev/null' ? oldName : oldName.slice(2),
        newName: newName === '/dev/null' ? newName : newName.slice(2),
      };
    }
  }
  return { oldName, newName };
}
