import { type Command, isLiteral, type Loop, literalWord, type ParsedLine, type Word } from './parse/line.ts';
import { parseLine } from './parse/parseLine.ts';
import { gitVerbIndex } from './programs/gitVerbIndex.ts';
import { programText } from './programs/programText.ts';
import { foreignShells, programName, shells, type WrapperForm, wrappers } from './programs/wrapperTable.ts';

/** What one command runs besides itself. */
export interface Unwrapped {
  /** Every command that the command's program is known to run. */
  readonly commands: readonly Command[];
  /** Words of the outer command that end with the name of the inner program, or with the script: a rule must reach so far. */
  readonly reach: number;
  /** The inner commands stand in one word, or in several places; else the inner command is the outer one's tail. */
  readonly apart?: true;
  /** Why what it runs cannot be known; such a command is never covered by a command rule. */
  readonly opaque?: string;
  readonly loops?: readonly Loop[];
}

/** The commands behind wrappers and runners (C2): `sudo rm`, `xargs rm`, `find -exec rm`, `sh -c 'rm'`, `ssh host rm` … */
export function unwrap(command: Command): Unwrapped | undefined {
  const first = command.words[0];
  if (!first || command.kind === 'condition') return undefined;
  const name = programName(first.value);
  if (!isLiteral(first)) return { commands: [], reach: 1, opaque: 'the program is only known when it runs' };
  if (shells.has(name)) return unwrapShell(command, name);
  if (foreignShells.has(name)) return unwrapForeign(command, name);
  if (name === 'find' || name === 'gfind') return unwrapFind(command, name);
  if (name === 'fd' || name === 'fdfind') return unwrapFd(command, name);
  if (name === 'git') return unwrapGit(command) ?? unwrapText(command, name);
  if (name === 'trap') return unwrapScript(command, name, 1);
  if (name === '.' || name === 'source') return undefined;
  const form = wrappers.get(name);
  const text = unwrapText(command, name);
  const wrapped = form ? unwrapForm(command, name, form) : undefined;
  if (!text || !wrapped) return text ?? wrapped;
  return {
    ...wrapped,
    ...text,
    commands: [...wrapped.commands, ...text.commands],
    reach: Math.max(wrapped.reach, text.reach),
  };
}

/** Lines that stand inside the words: `sed '1e cmd'`, `tar --to-command=cmd`. */
function unwrapText(command: Command, name: string): Unwrapped | undefined {
  const text = programText(command);
  if (!text) return undefined;
  const inner = text.runs.map((script) => innerScript(command, name, script, text.reach));
  const opaque = text.opaque ?? inner.find((one) => one.opaque !== undefined)?.opaque;
  return {
    commands: inner.flatMap(({ commands }) => commands),
    loops: inner.flatMap(({ loops = [] }) => loops),
    reach: text.reach,
    apart: true,
    ...(opaque === undefined ? {} : { opaque }),
  };
}

/** Every command of a line, with what wrappers run; deeper than eight wrappers is opaque. */
export function deepCommands(parsed: ParsedLine): {
  readonly commands: readonly Command[];
  readonly opaque: readonly string[];
  readonly loops: readonly Loop[];
} {
  const commands: Command[] = [];
  const loops: Loop[] = [...parsed.loops];
  const opaque: string[] = [];
  const visit = (command: Command): void => {
    commands.push(command);
    if (command.via.length >= 8 || commands.length > 500) {
      opaque.push('too many programs run each other');
      return;
    }
    const inner = unwrap(command);
    if (inner?.opaque) opaque.push(inner.opaque);
    loops.push(...(inner?.loops ?? []));
    for (const next of inner?.commands ?? []) visit(next);
  };
  for (const command of parsed.commands) visit(command);
  return { commands, opaque, loops };
}

function innerCommand(command: Command, name: string, words: readonly Word[]): Command {
  return {
    ...command,
    kind: 'command',
    argv: words.map((word) => word.value),
    words,
    assignments: [],
    redirects: [],
    dynamic: !words.every(isLiteral),
    via: [...command.via, name],
  };
}

function innerScript(command: Command, name: string, script: string, reach: number): Unwrapped {
  const parsed = parseLine(script);
  const commands = parsed.commands.map((inner) => ({
    ...inner,
    places: [...command.places, ...inner.places],
    via: [...command.via, name],
  }));
  const why =
    parsed.unparsable ?? parsed.ambiguous[0] ?? (parsed.functions.length > 0 ? 'it defines a function' : undefined);
  return {
    commands,
    loops: parsed.loops,
    reach,
    apart: true,
    ...(why === undefined ? {} : { opaque: `the script of ${name} is not understood: ${why}` }),
  };
}

function unwrapScript(command: Command, name: string, index: number): Unwrapped | undefined {
  const script = command.words[index];
  if (!script) return undefined;
  if (!isLiteral(script))
    return { commands: [], reach: index + 1, opaque: `the script of ${name} is only known when it runs` };
  return innerScript(command, name, script.value, index + 1);
}

/** `sh -c SCRIPT`, `bash -lc SCRIPT`; a shell without a script file reads commands from its input. */
function unwrapShell(command: Command, name: string): Unwrapped | undefined {
  let wantsScript = false;
  for (let index = 1; index < command.words.length; index += 1) {
    const word = command.words[index];
    const value = word?.value ?? '';
    if (!word || (!isLiteral(word) && !wantsScript)) {
      return { commands: [], reach: index + 1, opaque: `what ${name} runs is only known when it runs` };
    }
    if (value === '-o' || value === '+o' || value === '-O' || value === '+O') index += 1;
    else if (value === '--rcfile' || value === '--init-file') index += 1;
    else if (/^-[A-Za-z]*c[A-Za-z]*$/.test(value)) wantsScript = true;
    else if (value === '-s') break;
    else if (/^[-+]./.test(value) && value !== '--') continue;
    else if (value !== '-' && value !== '--') {
      return wantsScript ? unwrapScript(command, name, index) : undefined;
    }
  }
  if (command.words.slice(1).some(({ value }) => /^--?(?:version|help)$/.test(value))) return undefined;
  const fed = command.redirects.find((redirect) => redirect.op.startsWith('<') && redirect.body !== undefined);
  if (fed?.body !== undefined) return innerScript(command, name, fed.body, Number.POSITIVE_INFINITY);
  return { commands: [], reach: Number.POSITIVE_INFINITY, opaque: `${name} runs what it is sent` };
}

/** `cmd /c x` and friends: another grammar, so the words are only good for finding dangers. */
function unwrapForeign(command: Command, name: string): Unwrapped | undefined {
  if (command.argv.length === 2 && /^--?(?:version|help|v)$/i.test(command.argv[1] ?? '')) return undefined;
  const rest = command.words.slice(1).filter(({ value }) => !/^(?:-|\/[A-Za-z]$)/.test(value));
  const text = rest.map(({ value }) => value).join(' ');
  const commands =
    text === '' ? [] : parseLine(text).commands.map((inner) => ({ ...inner, via: [...command.via, name] }));
  return { commands, reach: Number.POSITIVE_INFINITY, opaque: `${name} has a grammar of its own` };
}

function unwrapFind(command: Command, name: string): Unwrapped | undefined {
  const commands: Command[] = [];
  for (let index = 1; index < command.words.length; index += 1) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(command.argv[index] ?? '')) continue;
    const end = command.argv.findIndex((word, at) => at > index && (word === ';' || word === '+'));
    const words = command.words.slice(index + 1, end < 0 ? undefined : end);
    if (words.length > 0) commands.push(innerCommand(command, name, words));
  }
  return commands.length > 0 ? { commands, reach: command.argv.length, apart: true } : undefined;
}

function unwrapFd(command: Command, name: string): Unwrapped | undefined {
  const index = command.argv.findIndex((word) => /^(?:-[A-Za-z]*[xX]|--exec(?:-batch)?)$/.test(word));
  const words = command.words.slice(index + 1);
  return index < 0 || words.length === 0
    ? undefined
    : { commands: [innerCommand(command, name, words)], reach: index + 2 };
}

/** Git runs programs that are named in its options, and shell lines in some verbs. */
function unwrapGit(command: Command): Unwrapped | undefined {
  const { argv } = command;
  const override = argv.findIndex((word, at) => at > 0 && /^(?:-c.*|--config-env.*|--exec-path.*)$/.test(word));
  const verbAt = gitVerbIndex(argv);
  if (override > 0 && override < verbAt) {
    const setting = argv[override] === '-c' ? (argv[override + 1] ?? '') : (argv[override] ?? '');
    const alias = /^(?:-c)?alias\.[^=]+=!(.*)$/s.exec(setting)?.[1];
    // What is no alias may be a pager, a filter, a program for ssh.
    const named = alias ?? (/alias\./i.test(setting) ? undefined : /=(.+)$/s.exec(setting)?.[1]);
    const commands =
      named === undefined ? [] : parseLine(named).commands.map((inner) => ({ ...inner, via: [...command.via, 'git'] }));
    return {
      commands,
      reach: Number.POSITIVE_INFINITY,
      opaque: 'a setting of git given on the line can name a program',
    };
  }
  const verb = argv[verbAt];
  const at = (name: string) => argv.findIndex((word, index) => index > verbAt && word === name);
  if (verb === 'bisect' && argv[verbAt + 1] === 'run') return runRest(command, verbAt + 2);
  if (verb === 'submodule' && at('foreach') > 0) return unwrapScript(command, 'git', nextWord(argv, at('foreach')));
  if (verb === 'rebase') {
    const exec = argv.findIndex((word, index) => index > verbAt && (word === '-x' || word === '--exec'));
    if (exec > 0) return unwrapScript(command, 'git', exec + 1);
    const glued = argv.findIndex((word) => word.startsWith('--exec='));
    if (glued > 0) return innerScript(command, 'git', (argv[glued] ?? '').slice('--exec='.length), glued + 1);
  }
  if (verb === 'filter-branch')
    return { commands: [], reach: Number.POSITIVE_INFINITY, opaque: 'git filter-branch runs scripts' };
  return undefined;
}

function nextWord(argv: readonly string[], index: number): number {
  const next = argv.findIndex((word, at) => at > index && !word.startsWith('-'));
  return next < 0 ? argv.length : next;
}

function runRest(command: Command, index: number): Unwrapped | undefined {
  const words = command.words.slice(index);
  return words.length === 0 ? undefined : { commands: [innerCommand(command, 'git', words)], reach: index + 1 };
}

function unwrapForm(command: Command, name: string, form: WrapperForm): Unwrapped | undefined {
  const { argv, words } = command;
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
      if (word === script) return unwrapScript(command, name, index + 1);
      return innerScript(command, name, word.slice(script.length).replace(/^=/, ''), index + 1);
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
      return { commands: [], reach: index + 1, opaque: `what ${name} runs is only known when it runs` };
    return innerScript(command, name, rest.map(({ value }) => value).join(' '), argv.length);
  }
  return {
    commands: [
      innerCommand(
        command,
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
