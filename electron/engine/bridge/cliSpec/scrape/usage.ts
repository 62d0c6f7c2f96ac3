import type { SpecArg } from '../specTypes.ts';
import type { HelpLine } from './cleanHelp.ts';
import type { Section } from './sections.ts';

export interface Usage {
  readonly args: readonly SpecArg[];
  readonly mentionsCommand: boolean;
  /** The first form, on one line. */
  readonly text: string;
}

const commandWords = /[<[{(\s](?:sub-?)?commands?\b|\bCOMMAND\b|\bSUBCOMMAND\b/i;
const noPositional =
  /^(?:.*options?|.*flags?|args?|arguments?|command|commands|subcommand|sub-command|command-args|commandargs|option)$/i;

/** What the usage lines say of positionals and sub-commands. */
export function readUsage(sections: readonly Section[], tool: string): Usage {
  const lines = sections.filter(({ kind }) => kind === 'usage').flatMap((section) => section.lines);
  const all = lines.map(({ text }) => text).join(' ');
  const text = firstForm(lines, tool);
  return { args: positionals(text.replace(ownWords(tool), '')), mentionsCommand: commandWords.test(` ${all}`), text };
}

/** The first form of the usage with its continuation lines. */
function firstForm(lines: readonly HelpLine[], tool: string): string {
  const [first, ...rest] = lines;
  if (first === undefined) return '';
  const parts = [first.text];
  for (const { text } of rest) {
    if (/^or\b/i.test(text) || text === tool || text.startsWith(`${tool} `)) break;
    parts.push(text);
  }
  return parts.join(' ').slice(0, 1_000);
}

function ownWords(tool: string): RegExp {
  const last = tool.split(' ').map((word) => word.replaceAll(/[^\w-]/g, '\\$&'));
  return new RegExp(`^(?:\\S*/)?${last.join('\\s+')}(?:\\.exe)?(?=\\s|$)`, 'i');
}

/** `<x>`, `[x]`, `X` and `x...` outside the brackets of options. */
export function positionals(usage: string): readonly SpecArg[] {
  const args: SpecArg[] = [];
  let afterOption = false;
  for (const token of topLevelTokens(usage)) {
    if (token.startsWith('-')) {
      afterOption = !token.includes('=');
      continue;
    }
    const arg = positional(token);
    if (arg !== undefined && !afterOption) args.push(arg);
    afterOption = false;
  }
  return tidy(args);
}

function positional(token: string): SpecArg | undefined {
  const repeated = token.includes('...');
  const bare = token
    .replaceAll('...', '')
    .replaceAll('\u2026', '')
    .replace(/(?<=.)\[[^\]]*\]$/, '')
    .trim();
  const optional = bare.startsWith('[');
  const inner = optional ? bare.replace(/^\[/, '').replace(/\].*$/, '').trim() : bare;
  // Only marks say where a name of several words ends.
  if (inner.startsWith('-') || /[|{}()]/.test(inner) || (/\s/.test(inner) && !/^<[^<>]+>$/.test(inner)))
    return undefined;
  const marked =
    /^<([^<>]+)>$/.exec(inner)?.[1] ??
    (/^[A-Z][A-Z0-9_.-]*$/.test(inner) || optional ? inner : repeated ? inner : undefined);
  if (marked === undefined || noPositional.test(marked)) return undefined;
  const name = marked
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (name === '' || name.length > 40) return undefined;
  const path = /^(?:.*-)?(?:file|files|path|paths|dir|directory|folder|source|dest|destination)\d?$/.test(name);
  return {
    name,
    description: name.replaceAll('-', ' '),
    required: !optional,
    type: path ? 'path' : 'string',
    ...(repeated ? { repeated: true } : {}),
  };
}

/** Words at depth 0; what stands in brackets is one word, with the dots that follow it. */
function topLevelTokens(usage: string): readonly string[] {
  const tokens: string[] = [];
  let depth = 0;
  let word = '';
  for (const char of usage.slice(0, 1_000)) {
    if (depth === 0 && /\s/.test(char)) {
      if (word !== '') tokens.push(word);
      word = '';
      continue;
    }
    if ('[<{('.includes(char)) depth += 1;
    if (']>})'.includes(char)) depth = Math.max(0, depth - 1);
    word += char;
  }
  if (word !== '') tokens.push(word);
  return tokens.flatMap((token, i) => (token === '...' ? [] : [tokens[i + 1] === '...' ? `${token}...` : token]));
}

/** What the schema asks: unique names, none required after an optional one, only the last repeated. */
export function tidy(args: readonly SpecArg[], taken: ReadonlySet<string> = new Set()): readonly SpecArg[] {
  const names = new Set(taken);
  let optional = false;
  return args.slice(0, 10).map((arg, i, all) => {
    let name = arg.name;
    for (let n = 2; names.has(name); n += 1)
      name = taken.has(arg.name) && n === 2 ? `${arg.name}-arg` : `${arg.name}-${n}`;
    names.add(name);
    optional ||= !arg.required;
    const { repeated, ...rest } = arg;
    return {
      ...rest,
      name,
      required: arg.required && !optional,
      ...(repeated === true && i === all.length - 1 ? { repeated } : {}),
    };
  });
}
