import { gitVerbIndex } from './gitVerbIndex.ts';
import { parseCommand } from './parseCommand.ts';
import { programText } from './programText.ts';
import { type CommandPart, isLiteral, type Loop, literalWord, type ParsedCommand, type Word } from './types.ts';
import { foreignShells, programName, shells, type WrapperForm, wrappers } from './wrapperTable.ts';

/** What one part runs besides itself. */
export interface Unwrapped {
  /** Every command that the part's program is known to run. */
  readonly parts: readonly CommandPart[];
  /** Words of the outer command that end with the name of the inner program, or with the script: a rule must reach so far. */
  readonly reach: number;
  /** The inner commands stand in one word, or in several places; else the inner part is the outer one's tail. */
  readonly apart?: true;
  /** Why what it runs cannot be known; such a part is never covered by a command rule. */
  readonly opaque?: string;
  readonly loops?: readonly Loop[];
}

/** The commands behind wrappers and runners (C2): `sudo rm`, `xargs rm`, `find -exec rm`, `sh -c 'rm'`, `ssh host rm` … */
export function unwrap(part: CommandPart): Unwrapped | undefined {
  const first = part.words[0];
  if (!first || part.kind === 'condition') return undefined;
  const name = programName(first.value);
  if (!isLiteral(first)) return { parts: [], reach: 1, opaque: 'the program is only known when it runs' };
  if (shells.has(name)) return unwrapShell(part, name);
  if (foreignShells.has(name)) return unwrapForeign(part, name);
  if (name === 'find' || name === 'gfind') return unwrapFind(part, name);
  if (name === 'fd' || name === 'fdfind') return unwrapFd(part, name);
  if (name === 'git') return unwrapGit(part) ?? unwrapText(part, name);
  if (name === 'trap') return unwrapScript(part, name, 1);
  if (name === '.' || name === 'source') return undefined;
  const form = wrappers.get(name);
  const text = unwrapText(part, name);
  const wrapped = form ? unwrapForm(part, name, form) : undefined;
  if (!text || !wrapped) return text ?? wrapped;
  return { ...wrapped, ...text, parts: [...wrapped.parts, ...text.parts], reach: Math.max(wrapped.reach, text.reach) };
}

/** Lines that stand inside the words: `sed '1e cmd'`, `tar --to-command=cmd`. */
function unwrapText(part: CommandPart, name: string): Unwrapped | undefined {
  const text = programText(part);
  if (!text) return undefined;
  const inner = text.runs.map((script) => innerScript(part, name, script, text.reach));
  const opaque = text.opaque ?? inner.find((one) => one.opaque !== undefined)?.opaque;
  return {
    parts: inner.flatMap(({ parts }) => parts),
    loops: inner.flatMap(({ loops = [] }) => loops),
    reach: text.reach,
    apart: true,
    ...(opaque === undefined ? {} : { opaque }),
  };
}

/** Every part of a line, with what wrappers run; deeper than eight wrappers is opaque. */
export function deepParts(parsed: ParsedCommand): {
  readonly parts: readonly CommandPart[];
  readonly opaque: readonly string[];
  readonly loops: readonly Loop[];
} {
  const parts: CommandPart[] = [];
  const loops: Loop[] = [...parsed.loops];
  const opaque: string[] = [];
  const visit = (part: CommandPart): void => {
    parts.push(part);
    if (part.via.length >= 8 || parts.length > 500) {
      opaque.push('too many programs run each other');
      return;
    }
    const inner = unwrap(part);
    if (inner?.opaque) opaque.push(inner.opaque);
    loops.push(...(inner?.loops ?? []));
    for (const next of inner?.parts ?? []) visit(next);
  };
  for (const part of parsed.parts) visit(part);
  return { parts, opaque, loops };
}

function innerPart(part: CommandPart, name: string, words: readonly Word[]): CommandPart {
  return {
    ...part,
    kind: 'command',
    argv: words.map((word) => word.value),
    words,
    assignments: [],
    redirects: [],
    dynamic: !words.every(isLiteral),
    via: [...part.via, name],
  };
}

function innerScript(part: CommandPart, name: string, script: string, reach: number): Unwrapped {
  const parsed = parseCommand(script);
  const parts = parsed.parts.map((inner) => ({
    ...inner,
    places: [...part.places, ...inner.places],
    via: [...part.via, name],
  }));
  const why =
    parsed.unparsable ?? parsed.ambiguous[0] ?? (parsed.functions.length > 0 ? 'it defines a function' : undefined);
  return {
    parts,
    loops: parsed.loops,
    reach,
    apart: true,
    ...(why === undefined ? {} : { opaque: `the script of ${name} is not understood: ${why}` }),
  };
}

function unwrapScript(part: CommandPart, name: string, index: number): Unwrapped | undefined {
  const script = part.words[index];
  if (!script) return undefined;
  if (!isLiteral(script))
    return { parts: [], reach: index + 1, opaque: `the script of ${name} is only known when it runs` };
  return innerScript(part, name, script.value, index + 1);
}

/** `sh -c SCRIPT`, `bash -lc SCRIPT`; a shell without a script file reads commands from its input. */
function unwrapShell(part: CommandPart, name: string): Unwrapped | undefined {
  let wantsScript = false;
  for (let index = 1; index < part.words.length; index += 1) {
    const word = part.words[index];
    const value = word?.value ?? '';
    if (!word || (!isLiteral(word) && !wantsScript)) {
      return { parts: [], reach: index + 1, opaque: `what ${name} runs is only known when it runs` };
    }
    if (value === '-o' || value === '+o' || value === '-O' || value === '+O') index += 1;
    else if (value === '--rcfile' || value === '--init-file') index += 1;
    else if (/^-[A-Za-z]*c[A-Za-z]*$/.test(value)) wantsScript = true;
    else if (value === '-s') break;
    else if (/^[-+]./.test(value) && value !== '--') continue;
    else if (value !== '-' && value !== '--') {
      return wantsScript ? unwrapScript(part, name, index) : undefined;
    }
  }
  if (part.words.slice(1).some(({ value }) => /^--?(?:version|help)$/.test(value))) return undefined;
  const fed = part.redirects.find((redirect) => redirect.op.startsWith('<') && redirect.body !== undefined);
  if (fed?.body !== undefined) return innerScript(part, name, fed.body, Number.POSITIVE_INFINITY);
  return { parts: [], reach: Number.POSITIVE_INFINITY, opaque: `${name} runs what it is sent` };
}

/** `cmd /c x` and friends: another grammar, so the words are only good for finding dangers. */
function unwrapForeign(part: CommandPart, name: string): Unwrapped | undefined {
  if (part.argv.length === 2 && /^--?(?:version|help|v)$/i.test(part.argv[1] ?? '')) return undefined;
  const rest = part.words.slice(1).filter(({ value }) => !/^(?:-|\/[A-Za-z]$)/.test(value));
  const text = rest.map(({ value }) => value).join(' ');
  const parts = text === '' ? [] : parseCommand(text).parts.map((inner) => ({ ...inner, via: [...part.via, name] }));
  return { parts, reach: Number.POSITIVE_INFINITY, opaque: `${name} has a grammar of its own` };
}

function unwrapFind(part: CommandPart, name: string): Unwrapped | undefined {
  const parts: CommandPart[] = [];
  for (let index = 1; index < part.words.length; index += 1) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(part.argv[index] ?? '')) continue;
    const end = part.argv.findIndex((word, at) => at > index && (word === ';' || word === '+'));
    const words = part.words.slice(index + 1, end < 0 ? undefined : end);
    if (words.length > 0) parts.push(innerPart(part, name, words));
  }
  return parts.length > 0 ? { parts, reach: part.argv.length, apart: true } : undefined;
}

function unwrapFd(part: CommandPart, name: string): Unwrapped | undefined {
  const index = part.argv.findIndex((word) => /^(?:-[A-Za-z]*[xX]|--exec(?:-batch)?)$/.test(word));
  const words = part.words.slice(index + 1);
  return index < 0 || words.length === 0 ? undefined : { parts: [innerPart(part, name, words)], reach: index + 2 };
}

/** Git runs programs that are named in its options, and shell lines in some verbs. */
function unwrapGit(part: CommandPart): Unwrapped | undefined {
  const { argv } = part;
  const override = argv.findIndex((word, at) => at > 0 && /^(?:-c.*|--config-env.*|--exec-path.*)$/.test(word));
  const verbAt = gitVerbIndex(argv);
  if (override > 0 && override < verbAt) {
    const setting = argv[override] === '-c' ? (argv[override + 1] ?? '') : (argv[override] ?? '');
    const alias = /^(?:-c)?alias\.[^=]+=!(.*)$/s.exec(setting)?.[1];
    // What is no alias may be a pager, a filter, a program for ssh.
    const named = alias ?? (/alias\./i.test(setting) ? undefined : /=(.+)$/s.exec(setting)?.[1]);
    const parts =
      named === undefined ? [] : parseCommand(named).parts.map((inner) => ({ ...inner, via: [...part.via, 'git'] }));
    return { parts, reach: Number.POSITIVE_INFINITY, opaque: 'a setting of git given on the line can name a program' };
  }
  const verb = argv[verbAt];
  const at = (name: string) => argv.findIndex((word, index) => index > verbAt && word === name);
  if (verb === 'bisect' && argv[verbAt + 1] === 'run') return runRest(part, verbAt + 2);
  if (verb === 'submodule' && at('foreach') > 0) return unwrapScript(part, 'git', nextWord(argv, at('foreach')));
  if (verb === 'rebase') {
    const exec = argv.findIndex((word, index) => index > verbAt && (word === '-x' || word === '--exec'));
    if (exec > 0) return unwrapScript(part, 'git', exec + 1);
    const glued = argv.findIndex((word) => word.startsWith('--exec='));
    if (glued > 0) return innerScript(part, 'git', (argv[glued] ?? '').slice('--exec='.length), glued + 1);
  }
  if (verb === 'filter-branch')
    return { parts: [], reach: Number.POSITIVE_INFINITY, opaque: 'git filter-branch runs scripts' };
  return undefined;
}

function nextWord(argv: readonly string[], index: number): number {
  const next = argv.findIndex((word, at) => at > index && !word.startsWith('-'));
  return next < 0 ? argv.length : next;
}

function runRest(part: CommandPart, index: number): Unwrapped | undefined {
  const words = part.words.slice(index);
  return words.length === 0 ? undefined : { parts: [innerPart(part, 'git', words)], reach: index + 1 };
}

function unwrapForm(part: CommandPart, name: string, form: WrapperForm): Unwrapped | undefined {
  const { argv, words } = part;
  if (name === 'command' && /^-[A-Za-z]*[vV]/.test(argv[1] ?? '')) return undefined;
  const verbAt = form.verbs ? argv.findIndex((word, at) => at > 0 && form.verbs?.includes(word)) : 0;
  if (verbAt < 0 || argv.slice(1, verbAt).some((word) => !word.startsWith('-') && word !== 'compose')) return undefined;
  let index = verbAt + 1;
  let skip = form.skip ?? 0;
  for (; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    const script = form.script?.find(
      (option) => word === option || word.startsWith(`${option}=`) || glued(word, option),
    );
    if (script !== undefined) {
      if (word === script) return unwrapScript(part, name, index + 1);
      return innerScript(part, name, word.slice(script.length).replace(/^=/, ''), index + 1);
    }
    if (word === '--') {
      index += 1 + skip;
      break;
    }
    if (/^[-+]./.test(word)) {
      if (takesValue(word, form)) index += 1;
    } else if (form.assigns && /^(?:[A-Za-z_]\w*\+?=|!$)/.test(word)) continue;
    else if (skip > 0) skip -= 1;
    else break;
  }
  if (index >= argv.length) return undefined;
  // The words of kubectl and docker stand behind `--` or the container; a second `--` is a separator too.
  if (argv[index] === '--') index += 1;
  const rest = name === 'xargs' ? withReplaced(words.slice(index), argv.slice(1, index)) : words.slice(index);
  if (rest.length === 0) return undefined;
  if (form.joined) {
    if (!rest.every(isLiteral))
      return { parts: [], reach: index + 1, opaque: `what ${name} runs is only known when it runs` };
    return innerScript(part, name, rest.map(({ value }) => value).join(' '), argv.length);
  }
  return {
    parts: [
      innerPart(
        part,
        name,
        rest.map((word) => (word.raw === '' ? literalWord(word.value) : word)),
      ),
    ],
    reach: index + 1,
  };
}

/** Words that xargs fills in are only known when it runs. */
function withReplaced(words: readonly Word[], options: readonly string[]): readonly Word[] {
  const marks = options.flatMap((option, at): readonly string[] => {
    const given = /^(?:-I|-J|--replace=)(.*)$/s.exec(option)?.[1];
    if (given !== undefined) return [given === '' ? (options[at + 1] ?? '{}') : given];
    return /^(?:-i|--replace$)/.test(option) ? [option.slice(2) || '{}', '{}'] : [];
  });
  if (marks.length === 0) return words;
  return words.map((word) =>
    marks.some((mark) => word.value.includes(mark))
      ? { ...word, pieces: [{ kind: 'variable', text: word.value, name: 'xargs', quoted: true }] }
      : word,
  );
}

function glued(word: string, option: string): boolean {
  return option.length === 2 && word.startsWith(option) && word.length > 2;
}

/** `-u root`, and clusters that end with such an option (`-nu root`). */
function takesValue(word: string, form: WrapperForm): boolean {
  const valued = form.valued ?? [];
  if (valued.includes(word)) return true;
  if (!/^-[A-Za-z]{2,}$/.test(word)) return false;
  const letters = word.slice(1);
  const firstValued = [...letters].findIndex((letter) => valued.includes(`-${letter}`));
  return firstValued === letters.length - 1;
}
