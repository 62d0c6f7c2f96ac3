import type { ProbeParts } from '../probe.ts';
import type { FoundBinary } from '../resolveBinary.ts';
import { commandNames, isHelp, maxWords } from './scrapeHelp.ts';

/** The help texts of a program, as far as it was asked. */
export interface Helps {
  readonly text: string;
  /** Of its commands, by their words. */
  readonly deep: ReadonlyMap<string, string>;
  /** The page to which the help sends for the options of all commands. */
  readonly globals?: string;
}

export interface AskOptions {
  /** Ask each command for its help; by itself up to 100 commands are asked. */
  readonly deep?: boolean;
  /** Nothing but `--help` is said. */
  readonly careful?: boolean;
}

const helpMs = 10_000;
const maxHelpBytes = 1024 * 1024;
const minHelpChars = 40;
const maxDeepByItself = 100;
/** Of one program; the largest have some two hundred commands. */
const maxAsked = 400;
const maxAtOnce = 4;

/** The top help: `--help`, or what is usual where that is none. Undefined where a program gives none. */
export async function askHelp(
  binary: FoundBinary,
  name: string,
  parts: ProbeParts,
  { careful }: AskOptions,
): Promise<string | undefined> {
  let some: string | undefined;
  for (const word of careful ? ['--help'] : ['--help', 'help', '-h']) {
    const text = await answer(binary, [word], parts);
    if (text === undefined) continue;
    // Some show a part only, and say how to get the whole.
    const whole = /--help all\b/.test(text) ? await answer(binary, ['--help', 'all'], parts) : undefined;
    if (whole !== undefined && whole.length > text.length) return whole;
    if (isHelp(text, name)) return text;
    some ??= text;
  }
  return some;
}

/** Asks the commands that a help lists for their own, and what these list, two words deep. */
export async function askCommands(
  binary: FoundBinary,
  name: string,
  text: string,
  parts: ProbeParts,
  { deep: wanted, careful }: AskOptions,
): Promise<Helps> {
  const names = commandNames(text, name);
  const deep = new Map<string, string>();
  if (!(wanted ?? names.length <= maxDeepByItself)) return { text, deep };
  const top = new Set(names);
  const seen = new Set([text]);
  const queue = [...names];
  let asked = 0;
  const ask = async (words: string): Promise<void> => {
    const own = await helpOf(binary, words, name, text, parts, careful === true);
    // Many programs answer with their top help to anything; that would give each command all flags.
    if (own === undefined || seen.has(own)) return;
    seen.add(own);
    deep.set(words, own);
    if (words.split(' ').length >= maxWords) return;
    const below = commandNames(own, `${name} ${words}`);
    if (below.length > 0 && !below.every((one) => top.has(one))) queue.push(...below.map((one) => `${words} ${one}`));
  };
  while (queue.length > 0 && asked < maxAsked && parts.signal?.aborted !== true) {
    const next = queue.splice(0, maxAtOnce);
    asked += next.length;
    await Promise.all(next.map(ask));
  }
  const page = /\buse "?(?:\S+ )?(options)"? for a list of global\b/i.exec(text)?.[1];
  const told = page === undefined ? undefined : await answer(binary, [page, '--help'], parts);
  const globals = told ?? (page === undefined || careful ? undefined : await answer(binary, [page], parts));
  return globals === undefined ? { text, deep } : { text, deep, globals };
}

async function helpOf(
  binary: FoundBinary,
  words: string,
  name: string,
  top: string,
  parts: ProbeParts,
  careful: boolean,
): Promise<string | undefined> {
  const text = await answer(binary, [...words.split(' '), '--help'], parts);
  if (text !== undefined && isHelp(text, `${name} ${words}`)) return text;
  // To a command `-h` may mean anything, unless the program itself says that it asks for help.
  if (careful || !/(?:^|[\s[,|])-h\b/m.test(top)) return undefined;
  const short = await answer(binary, [...words.split(' '), '-h'], parts);
  return short !== undefined && isHelp(short, `${name} ${words}`) ? short : undefined;
}

async function answer(binary: FoundBinary, args: readonly string[], parts: ProbeParts): Promise<string | undefined> {
  const { stdout, stderr } = await parts.run({
    file: binary.path,
    args,
    cwd: parts.cwd,
    env: { ...parts.env, ...plainText },
    timeoutMs: helpMs,
    maxBytes: maxHelpBytes,
    signal: parts.signal,
  });
  const text = `${stdout}\n${stderr}`.trim();
  return text.length < minHelpChars ? undefined : text;
}

/** No pager, no colours, wide lines, and headings in English. */
const plainText = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  COLUMNS: '120',
  MANWIDTH: '120',
  NO_COLOR: '1',
  TERM: 'dumb',
  LC_ALL: 'C.UTF-8',
  LANGUAGE: 'en',
};
