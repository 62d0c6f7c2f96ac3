import type { HelpLine } from './cleanHelp.ts';

export type SectionKind =
  | 'usage'
  | 'commands'
  | 'options'
  | 'arguments'
  | 'examples'
  | 'environment'
  | 'other'
  | 'start';

export interface Section {
  readonly kind: SectionKind;
  readonly title: string;
  readonly lines: readonly HelpLine[];
}

const usageStart = /^(?:usage|synopsis)\b\s*:?/i;

/** Cuts a help text at its headings. */
export function splitSections(lines: readonly HelpLine[]): readonly Section[] {
  const sections: { kind: SectionKind; title: string; lines: HelpLine[] }[] = [{ kind: 'start', title: '', lines: [] }];
  let usageRuns = false;
  lines.forEach((line, i) => {
    const current = sections.at(-1);
    if (line.indent <= 8 && usageStart.test(line.text) && !/^usage of /i.test(line.text)) {
      const rest = line.text.replace(usageStart, '').trim();
      sections.push({
        kind: 'usage',
        title: 'usage',
        lines: rest === '' ? [] : [{ text: rest, indent: line.indent + 1 }],
      });
      usageRuns = rest !== '';
      return;
    }
    const kind = headingKind(line, lines[i - 1], nextFilled(lines, i));
    if (kind !== undefined) {
      sections.push({ kind, title: line.text.replace(/:$/, ''), lines: [] });
      usageRuns = false;
      return;
    }
    if (current?.kind === 'usage') {
      if (line.text === '') {
        // A usage that began on its own line ends at the first blank line; one below a heading at the first that follows text.
        if (usageRuns || current.lines.length > 0) sections.push({ kind: 'start', title: '', lines: [] });
        return;
      }
      // Unindented text or option rows below the usage line are no part of it, but for further forms.
      const [program = ''] = current.lines[0]?.text.split(' ') ?? [];
      const isForm = program !== '' && line.text.startsWith(`${program} `);
      if (current.lines.length > 0 && !isForm && (line.indent === 0 || /^-\S.* {2,}/.test(line.text))) {
        sections.push({ kind: 'start', title: '', lines: [line] });
        return;
      }
    }
    current?.lines.push(line);
  });
  return sections;
}

function nextFilled(lines: readonly HelpLine[], from: number): HelpLine | undefined {
  for (let i = from + 1; i <= from + 2; i += 1) if (lines[i]?.text) return lines[i];
  return undefined;
}

function headingKind(
  line: HelpLine,
  before: HelpLine | undefined,
  next: HelpLine | undefined,
): SectionKind | undefined {
  const { text, indent } = line;
  if (text === '' || text.startsWith('-') || text.length > 100) return undefined;
  const deeper = next !== undefined && next.indent > indent;
  if (indent <= 2 && text.endsWith(':') && !/ {2,}/.test(text))
    return classify(text) ?? (deeper || next?.text.startsWith('-') ? 'other' : undefined);
  if (indent <= 2 && /^[A-Z][A-Z0-9 &/,()-]{2,}:?$/.test(text) && deeper) return classify(text) ?? 'other';
  const alone = indent === 0 && (before === undefined || before.text === '');
  if (alone && /^(?:\S+ ){0,2}commands$/i.test(text) && next !== undefined) return 'commands';
  if (alone && deeper && !/[[<{]/.test(text) && text.split(' ').length <= 6 && !/[.;]$/.test(text))
    return classify(text);
  return undefined;
}

/** Order matters: "common options of commands" are options, "examples of commands" are examples. */
const classes: readonly (readonly [RegExp, SectionKind])[] = [
  [/^(?:\S+ )?options\b/i, 'options'],
  [/\bexamples?\b/i, 'examples'],
  [/\bcommands:?$/i, 'commands'],
  [/\b(?:environment|env vars?|variables?)\b/i, 'environment'],
  [/\b(?:options?|flags?|switches|parameters)\b\s*:?\)?$/i, 'options'],
  [/\b(?:sub-?commands?|commands?|sub-?groups?|available services)\b|^groups:?$/i, 'commands'],
  [/\b(?:options?|flags?|switches)\b/i, 'options'],
  [/\b(?:positional )?arguments?\b|^(?:positionals|args|parameters):?$/i, 'arguments'],
];

function classify(title: string): SectionKind | undefined {
  return classes.find(([pattern]) => pattern.test(title))?.[1];
}
