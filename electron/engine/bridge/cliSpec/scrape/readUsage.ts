import type { SpecArg } from '../specTypes.ts';
import type { HelpLine } from './cleanHelp.ts';
import type { CommandRow } from './commandRows.ts';
import {
  bareName,
  flat,
  isCommand,
  isLiteral,
  isOptions,
  isUnmarked,
  optionsWord,
  type Positionals,
  positionalsOf,
  tidy,
  withRest,
} from './positionals.ts';
import type { Section } from './sections.ts';
import { parseUsage, type UsagePart } from './usageParts.ts';

/** An option that the forms of a command tell of. */
export type UsageOption = Extract<UsagePart, { readonly kind: 'option' }> & {
  /** Its value is surely its own: joined to it, or in brackets of its own. */
  readonly isBound: boolean;
};

export interface Usage {
  readonly args: readonly SpecArg[];
  readonly mentionsCommand: boolean;
  /** Options of the program stand before the command's word: `git [-C <path>] <command>`. */
  readonly optionsFirst: boolean;
  /** The first form, on one line; empty where the help has none. */
  readonly text: string;
  readonly options: readonly UsageOption[];
  /** Commands whose words the forms begin with: `git remote add <name> <url>`. */
  readonly commands: readonly CommandRow[];
  /** The program does something without one of these commands. */
  readonly runsAlone: boolean;
}

/** What the usage lines say of positionals, options and sub-commands. `tool`: the program and the words of its command. */
export function readUsage(sections: readonly Section[], tool: string): Usage {
  const named = sections.filter(({ kind }) => kind === 'usage').flatMap((section) => section.lines);
  const forms = formsOf(named.length > 0 ? named : bareForms(sections, tool));
  const read = forms.map((form) => ({ form, parts: parseUsage(withoutOwn(form, tool)) }));
  const commands = formCommands(read.map(({ parts }) => parts));
  const own = read.filter((_, i) => !commands.some(({ forms: from }) => from.includes(i)));
  const main = own.find(({ parts }) => !isHelpOnly(parts)) ?? own[0] ?? read[0];
  const first = positionalsOf(main?.parts ?? [], isUnmarked(main?.parts ?? []));
  const most = Math.max(...own.map(({ parts }) => places(positionalsOf(parts, isUnmarked(parts)))), 0);
  // A mode of its own takes none (`git tag --list`), so none can be asked for.
  const isOptional = own.some(({ parts }) => !isHelpOnly(parts) && takesNone(parts));
  const isFree = main === undefined || first.isFree || (commands.length === 0 && most > places(first));
  const args = isFree ? withRest(first) : first.args;
  return {
    args: tidy(isOptional ? args.map((arg) => ({ ...arg, required: false })) : args),
    mentionsCommand: read.some(({ parts }) => flat(parts).some(isCommand)),
    optionsFirst: read.some(({ parts }) => isOptionsFirst(parts)),
    text: main?.form ?? '',
    options: own.flatMap(({ parts }) => usageOptions(parts)),
    commands,
    runsAlone: own.some(({ parts }) => !isHelpOnly(parts) && !flat(parts).some(isCommand)),
  };
}

function takesNone(parts: readonly UsagePart[]): boolean {
  // What stands behind an option may be no value of it.
  if (parts.some((part) => part.kind === 'option' && part.value?.startsWith(' '))) return false;
  const { args, isFree } = positionalsOf(parts, isUnmarked(parts));
  return !isFree && args.every(({ required }) => !required);
}

/** How many values a form takes; a repeated one any number. */
function places({ args, isFree }: Positionals): number {
  return isFree || args.some(({ repeated }) => repeated === true) ? Infinity : args.length;
}

/** Each form with its continuation lines, on one line. */
function formsOf(lines: readonly HelpLine[]): readonly string[] {
  const forms: string[] = [];
  const program = /^(?:or:?\s+)?([^\s[<{(]+)/i.exec(lines[0]?.text ?? '')?.[1];
  for (const { text } of lines) {
    const [, or, rest = ''] = /^(or:?\s)?\s*(?:\$ )?(.*)$/i.exec(text) ?? [];
    // What stands far behind a form tells of it.
    const form = rest.replace(/(?<=\S) {3,}\S.*$|\s\((?:see|same as|alias|note)\b.*$/i, '');
    const begins = or !== undefined || forms.length === 0 || form === program || form.startsWith(`${program} `);
    if (begins) forms.push(form);
    else forms.push(`${forms.pop() ?? ''} ${form}`.trim());
  }
  return forms.map((form) => form.slice(0, 2_000));
}

/** A form that no word announces: `tool [options] <file>`, as the first line or after a banner. */
function bareForms(sections: readonly Section[], tool: string): readonly HelpLine[] {
  const [program = ''] = tool.split(' ');
  const lines = sections.filter(({ kind }) => kind === 'start').flatMap((section) => section.lines);
  return lines.filter(({ text }) => isBareForm(text, program)).slice(0, 1);
}

/** Whether a line is a form of the command though no word says so. */
export function isBareForm(line: string, program: string): boolean {
  const [first = '', ...rest] = line.split(' ');
  if (program === '' || (first !== program && !first.startsWith(`${program}.`))) return false;
  return (
    rest.some((word) => /^(?:[[<{]|[A-Z]{3,}\b)/.test(word)) && rest.every((word) => !/^[A-Z]?[a-z]+[.,;]$/.test(word))
  );
}

/** A form without the program's name (whatever it calls itself here) and the words of the command. */
function withoutOwn(form: string, tool: string): string {
  const words = form.trim().split(/\s+/);
  const [, ...own] = tool.split(/\s+/);
  if (words[0] !== undefined && !/^[[({<-]/.test(words[0])) words.shift();
  // `python -m tool` and the like
  if (words[0] === '-m' && words.length > 1) words.splice(0, 2);
  let at = 0;
  for (const word of own) {
    const next = words.findIndex((one, i) => i >= at && !/^[[({<-]/.test(one));
    if (next < 0) break;
    // An alias may stand in the place of the command's name.
    if (words[next] !== word && !(next === at && /^[a-z][\w:-]*$/.test(words[next] ?? ''))) break;
    words.splice(next, 1);
    at = next;
  }
  return words.join(' ');
}

function isOptionsFirst(parts: readonly UsagePart[]): boolean {
  const at = parts.findIndex(
    (part) => isCommand(part) || (part.kind === 'group' && (flat([part]).some(isCommand) || isChoice(part))),
  );
  return parts.slice(0, Math.max(at, 0)).some(isOptions);
}

/** `{init,build}` and `(set|remove)`: one of these very words. */
function isChoice(part: UsagePart): boolean {
  return (
    part.kind === 'group' &&
    part.bracket !== '[' &&
    part.alternatives.length > 1 &&
    part.alternatives.every(([one, ...more]) => more.length === 0 && one?.kind === 'word' && isLiteral(one.text))
  );
}

/** Nothing but a question for help or version. */
function isHelpOnly(parts: readonly UsagePart[]): boolean {
  const options = flat(parts).filter((part) => part.kind === 'option');
  const words = flat(parts).filter((part) => part.kind === 'word');
  if (words.some(({ text }) => !optionsWord.test(bareName(text))))
    return words.every(({ text }) => /^(?:help|version)$/.test(text));
  return (
    options.length > 0 &&
    options.every(({ names }) => names.some((name) => /^(?:-h|-\?|-V|--help|--version)$/.test(name)))
  );
}

/** The options of a form; outside of brackets, what stands behind one may be a positional as well. */
export function usageOptions(parts: readonly UsagePart[], isInside = false): readonly UsageOption[] {
  return parts.flatMap((part) => {
    if (part.kind === 'group') return part.alternatives.flatMap((one) => usageOptions(one, true));
    return part.kind === 'option' ? [{ ...part, isBound: isInside || part.value?.startsWith(' ') === false }] : [];
  });
}

interface FormCommand extends CommandRow {
  /** The forms that it was read from. */
  readonly forms: readonly number[];
}

/** The commands that forms begin with. One form of bare words alone says nothing: they may stand for others. */
function formCommands(forms: readonly (readonly UsagePart[])[]): readonly FormCommand[] {
  const found = forms.flatMap((parts, i) => leading(parts).map((row) => ({ ...row, form: i })));
  const names = Map.groupBy(found, ({ name }) => name);
  const marked = forms.some((parts) => !isUnmarked(parts));
  const isBraced = forms.some((parts) =>
    parts.some((part, i) => isChoice(part) && parts[i + 1] === undefined && part.kind === 'group' && part.repeated),
  );
  if (!marked && !isBraced && names.size < 2) return [];
  // Forms of bare words count when all that do something begin with one.
  const others = forms.filter(
    (parts, i) => !found.some(({ form }) => form === i) && !isHelpOnly(parts) && parts.length > 0,
  );
  if (!marked && others.some((parts) => flat(parts).some((part) => part.kind === 'word' && isLiteral(part.text))))
    return [];
  return [...names].map(([name, [first, ...more]]) => ({
    name,
    text: '',
    tail: first?.tail ?? [],
    forms: [first?.form ?? -1, ...more.map(({ form }) => form)],
  }));
}

/** The literal words that a form begins with, behind options, once for each of its alternatives. */
function leading(parts: readonly UsagePart[]): readonly CommandRow[] {
  let names: readonly string[] = [''];
  let at = 0;
  const skipped: UsagePart[] = [];
  for (; at < parts.length; at += 1) {
    const part = parts[at];
    if (part === undefined) break;
    const isFirst = names[0] === '';
    if (part.kind === 'word' && isLiteral(part.text) && !part.repeated && (isFirst || !isUnmarked(parts)))
      names = names.map((name) => `${name} ${part.text}`);
    else if (
      isChoice(part) &&
      part.kind === 'group' &&
      (isFirst ? part.bracket === '(' || part.repeated : part.bracket === '(')
    )
      names = part.alternatives.flatMap(([one]) =>
        one?.kind === 'word' ? names.map((name) => `${name} ${one.text}`) : [],
      );
    else if (isFirst && isOptions(part)) skipped.push(part);
    else break;
  }
  if (names[0] === '' || names.length > 60) return [];
  return names.map((name) => ({ name: name.trim(), text: '', tail: [...skipped, ...parts.slice(at)] }));
}
