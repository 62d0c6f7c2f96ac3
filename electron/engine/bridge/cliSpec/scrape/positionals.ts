import type { SpecArg } from '../specTypes.ts';
import { isMarked, type UsagePart } from './usageParts.ts';

export const optionsWord = /^(?:.*options?|.*flags?|switch(?:es)?|opts|parameters)$/i;
const commandWord = /^(?:sub-?)?commands?$|^cmd$/i;
const argsWord = /^(?:.*[-_])?args?$|^(?:.*[-_])?arguments?$|^\.\.\.$/i;

export function isCommand(part: UsagePart): boolean {
  return part.kind === 'word' && commandWord.test(bareName(part.text));
}

export function isOptions(part: UsagePart): boolean {
  if (part.kind === 'option') return true;
  if (part.kind === 'word') return optionsWord.test(bareName(part.text));
  return (
    part.kind === 'group' && part.alternatives.length > 0 && part.alternatives.every((parts) => parts.every(isOptions))
  );
}

/** An option itself, not a word that stands for all. */
function isSwitch(part: UsagePart): boolean {
  return (
    part.kind === 'option' ||
    (part.kind === 'group' && part.alternatives.every(([one]) => one !== undefined && isSwitch(one)))
  );
}

export function isLiteral(text: string): boolean {
  return /^[a-z][a-z0-9:_-]*$/.test(text) && !optionsWord.test(text) && !commandWord.test(text) && !argsWord.test(text);
}

export function flat(parts: readonly UsagePart[]): readonly UsagePart[] {
  return parts.flatMap((part) => (part.kind === 'group' ? part.alternatives.flatMap(flat) : [part]));
}

/** Old manuals mark nothing: there each lower-case word stands for another. */
export function isUnmarked(parts: readonly UsagePart[]): boolean {
  return !flat(parts).some(
    (part) => part.kind === 'word' && isMarked(part.text) && !optionsWord.test(bareName(part.text)),
  );
}

/** `[FILES]` takes some. */
const plural = /^(?:.*-)?(?:files|paths|dirs|directories|folders|urls|images|packages|inputs|sources)$/;

export interface Positionals {
  readonly args: readonly SpecArg[];
  /** Something could not be said as positionals: what follows is free. */
  readonly isFree: boolean;
  /** What is free stands behind `--`. */
  readonly restAfterDashes: boolean;
}

/** The positionals of a row's tail or of a form: `<x>`, `[x]`, `X` and `x...` outside the brackets of options. */
export function positionals(tail: readonly UsagePart[]): readonly SpecArg[] {
  const read = positionalsOf(tail, false);
  return tidy(read.isFree ? withRest(read) : read.args);
}

export function positionalsOf(parts: readonly UsagePart[], unmarked: boolean): Positionals {
  const args: SpecArg[] = [];
  let afterDashes = false;
  const add = (text: string, optional: boolean, isMany: boolean): boolean => {
    const name = argName(text);
    const repeated = isMany || plural.test(name);
    if (name === '') return false;
    const before = args.at(-1);
    // `<x> [<x>...]` is one argument, given once or more.
    if (before?.name === name && repeated) args.splice(-1, 1, { ...before, repeated: true });
    else if (before?.name !== name || !optional)
      args.push({ ...argOf(name, optional, repeated), ...(afterDashes ? { afterDashes } : {}) });
    afterDashes = false;
    return true;
  };
  /** False where the reading ends. */
  const walk = (list: readonly UsagePart[], optional: boolean, repeated: boolean, inBrackets: boolean): boolean =>
    list.every((part) => {
      if (part.kind === 'dashes') {
        afterDashes = !optional;
        return true;
      }
      if (isOptions(part)) return true;
      if (part.kind === 'word') {
        const bare = bareName(part.text);
        if (commandWord.test(bare) || argsWord.test(bare)) return false;
        const stands = inBrackets || unmarked || isMarked(part.text) || part.repeated;
        return stands && add(part.text, optional, repeated || part.repeated);
      }
      if (part.kind === 'option') return true;
      const inner = part.alternatives.filter((one) => one.length > 0);
      const isOptional = optional || part.bracket === '[';
      const [only] = inner;
      // `[(-m | --max-count) <num>]`: what stands behind an option in its own brackets is its value.
      if (inner.length === 1 && part.bracket === '[' && only?.[0] !== undefined && isSwitch(only[0])) return true;
      if (inner.length === 1 && only !== undefined) {
        const words = only.filter((one) => !isOptions(one));
        if (part.repeated && words.length > 1) return false;
        return walk(only, isOptional, repeated || part.repeated, true);
      }
      const names = inner.map((one) =>
        one.length === 1 && one[0]?.kind === 'word' ? bareName(one[0].text) : undefined,
      );
      // Words that are meant as they stand may each go on in their own way: `[start|bad|good]`.
      const isWords =
        !unmarked && names.every((name) => name !== undefined && isLiteral(name)) && !inner.some(isMarkedWord);
      if (isWords || names.some((name) => name === undefined || commandWord.test(name))) return false;
      return add(names.slice(0, 2).join('-or-'), isOptional, repeated || part.repeated);
    });
  const isWhole = walk(parts, false, false, false);
  return { args, isFree: !isWhole, restAfterDashes: !isWhole && afterDashes };
}

function isMarkedWord([part]: readonly UsagePart[]): boolean {
  return part?.kind === 'word' && isMarked(part.text);
}

export function bareName(text: string): string {
  return text
    .replaceAll(/\.\.\.|\u2026/g, '')
    .replace(/(?<=.)\[[^\]]*\]$/, '')
    .replaceAll(/^[[<]+|[\]>]+$/g, '')
    .trim();
}

export function argName(text: string): string {
  const name = bareName(text)
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name.length > 40 ? '' : name;
}

function argOf(name: string, optional: boolean, repeated: boolean): SpecArg {
  const isPath = /^(?:.*-)?(?:file|files|path|paths|dir|directory|folder|source|dest|destination)\d?$/.test(name);
  return {
    name,
    description: name.replaceAll('-', ' '),
    required: !optional,
    type: isPath ? 'path' : 'string',
    ...(repeated ? { repeated: true } : {}),
  };
}

/** Where the usage is not understood, the rest is free. */
export const restArg: SpecArg = {
  name: 'args',
  description: 'further arguments, as the program takes them',
  required: false,
  type: 'string',
  repeated: true,
};

export function withRest({ args, restAfterDashes }: Positionals): readonly SpecArg[] {
  if (args.at(-1)?.repeated === true) return args;
  return [...args.slice(0, 9), restAfterDashes ? { ...restArg, afterDashes: true } : restArg];
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
