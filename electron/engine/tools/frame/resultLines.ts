/** Results in the words of the command line: what a model reads in place of JSON. */

interface Match {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** As `grep --heading` prints them: each file once, `12:` in front of what matches, `11-` in front of what stands around it. */
export function matchLines(matches: readonly Match[], none = 'nothing found'): string {
  if (matches.length === 0) return none;
  const lines: string[] = [];
  let file: string | undefined;
  for (const { file: here, line, text, before = [], after = [] } of matches) {
    if (here !== file) lines.push(here);
    file = here;
    before.forEach((around, at) => lines.push(`${line - before.length + at}-${around}`));
    lines.push(`${line}:${text}`);
    after.forEach((around, at) => lines.push(`${line + 1 + at}-${around}`));
  }
  return lines.join('\n');
}

interface Symbol {
  readonly name: string;
  readonly kind: string;
  readonly line: number;
  readonly container?: string | undefined;
  readonly signature: string;
}

/** A signature over many lines says no more than its beginning. */
const maxSignature = 90;

/** `12:function parse(text)`; members stand two blanks in. */
export function symbolLines(symbols: readonly Symbol[], none = 'no symbols'): string {
  if (symbols.length === 0) return none;
  return symbols
    .map(({ line, container, signature, kind, name }) => {
      const said = signature.includes(name) ? signature : `${kind} ${name}`;
      const shown = said.length > maxSignature ? `${said.slice(0, maxSignature)}…` : said;
      return `${line}:${container === undefined ? '' : '  '}${shown}`;
    })
    .join('\n');
}

interface CommandEnd {
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
  readonly exitCode?: number | null | undefined;
  readonly signal?: string | undefined;
  /** What else is to be known, one thing a line. */
  readonly notes?: readonly (string | undefined)[];
}

/** `[exit 1]` of what has ended, then what the command wrote, as it wrote it. */
export function commandLines({ stdout = '', stderr = '', exitCode, signal, notes = [] }: CommandEnd): string {
  const isOver = exitCode !== undefined && exitCode !== null;
  const end = signal === undefined ? (isOver ? `[exit ${exitCode}]` : '') : `[ended by ${signal}]`;
  const parts = [end, ...notes.flatMap((note) => (note === undefined ? [] : [`[${note}]`])), trimmed(stdout)];
  if (stderr.trim() !== '') parts.push('[stderr]', trimmed(stderr));
  return parts.filter((part) => part !== '').join('\n');
}

function trimmed(text: string): string {
  return text.replace(/\s+$/, '');
}

interface Entry {
  readonly path: string;
  readonly type: string;
  readonly error?: string | undefined;
}

/** One path a line, as it counts from `folder`; folders end in `/`, links in `@`. */
export function entryLines(entries: readonly Entry[], folder: string): string {
  const mark: Readonly<Record<string, string>> = { directory: '/', symlink: '@' };
  const line = ({ path, type, error }: Entry): string => {
    const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
    return `${name}${mark[type] ?? ''}${error === undefined ? '' : ` (${error})`}`;
  };
  return entries.length === 0 ? 'empty' : entries.map(line).join('\n');
}

/** A diff of one file without the line that git needs and nobody reads. */
export function plainDiff(diff: string): string {
  return diff.replace(/^diff --git.*\n/, '').trimEnd();
}

interface ShownNode {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly states?: readonly string[] | undefined;
  readonly children: readonly ShownNode[];
}

/** `button "Send" e12 disabled`, two blanks a level. */
export function nodeLines(nodes: readonly ShownNode[], indent: string): readonly string[] {
  return nodes.flatMap(({ ref, role, name, value, states = [], children }) => [
    [
      `${indent}${role}`,
      name === '' ? '' : JSON.stringify(name),
      ref,
      value === undefined ? '' : `= ${JSON.stringify(value)}`,
      ...states,
    ]
      .filter((part) => part !== '')
      .join(' '),
    ...nodeLines(children, `${indent}  `),
  ]);
}
