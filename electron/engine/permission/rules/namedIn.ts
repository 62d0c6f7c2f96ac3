import { type Command, isLiteral, type Word } from '../../shell/parse/line.ts';
import { alternatives, type PlacedLine } from '../../shell/placedLine.ts';
import { programName } from '../../shell/programs/program.ts';
import { onlyReads, programOf } from '../../shell/programs/programs.ts';
import { isUnknown, pathTexts } from '../../shell/values.ts';
import { hostsIn } from './hostsIn.ts';
import { pathsMeant, projectPath, type RuleContext } from './ruleContext.ts';
import type { RuleTarget } from './ruleTarget.ts';

/** Paths and hosts among the words and the files that are written, for rules that forbid. What a word may become when it runs is named as well. */
export function namedIn(
  command: Command,
  written: readonly Word[],
  { folders, around }: PlacedLine,
  context: RuleContext,
): readonly RuleTarget[] {
  const name = programName(command.argv[0] ?? '');
  const assigned = command.assignments.map(({ value }) => value);
  const words = [...assigned, ...command.words.slice(1), ...command.redirects.map(({ word }) => word), ...written];
  const targets = new Map<string, RuleTarget>();
  const add = (target: RuleTarget): void => {
    const key =
      target.kind === 'path'
        ? `path ${target.path} ${target.isMention === true}`
        : target.kind === 'host'
          ? `host ${target.host}`
          : target.kind;
    if (!targets.has(key)) targets.set(key, target);
  };
  const mention = (text: string): void => {
    for (const path of mentionedIn(text, name))
      for (const folder of folders)
        add({ kind: 'path', path: projectPath(path, folder, context.project), command, isMention: true });
  };
  for (const { body } of command.redirects) if (body !== undefined) mention(body);
  for (const word of words) {
    if (!isLiteral(word) && programOf(name).words === 'text' && !written.includes(word)) continue;
    for (const text of isLiteral(word) ? [word.value] : pathTexts(word, around)) {
      if (isUnknown(text)) {
        add({ kind: 'path', path: null, command });
        if (!onlyReads(name)) add({ kind: 'host', host: '', isGuess: true });
        continue;
      }
      const isPattern = !isLiteral(word) && /[*?[{]/.test(text);
      for (const form of isLiteral(word) ? [text] : alternatives(text)) {
        const { hosts, isAddress } = hostsIn(form, name);
        for (const host of hosts) add({ kind: 'host', ...host });
        mention(form);
        const file = fileOf(form);
        if (form === '/dev/null' || (isAddress && file === undefined)) continue;
        // curl makes several addresses of `{a,b}` and `[1-3]`.
        for (const path of file === undefined ? [form.replace(/^--?[\w-]+=/, '')] : alternatives(file)) {
          if (path === '' || path.startsWith('-')) continue;
          for (const folder of folders) {
            add({
              kind: 'path',
              path: projectPath(path, folder, context.project),
              command,
              isPattern: isPattern || (file !== undefined && path.includes('[')),
              meant: () => pathsMeant(path, folder, context),
            });
          }
        }
      }
    }
  }
  return [...targets.values()];
}

/** The file of an address, `file:///a%20b`; undefined for all others. */
function fileOf(word: string): string | undefined {
  const [, path] = /^(?:--?[\w-]+=)?file:(?:\/\/(?:localhost|127\.0\.0\.1)?(?=\/))?(.*)$/is.exec(word) ?? [];
  if (path === undefined) return undefined;
  try {
    return decodeURIComponent(path.replace(/[?#].*$/s, ''));
  } catch {
    return path;
  }
}

const maxText = 10_000;
const maxMentions = 200;

/** What may be a path in code or in a word with a name of its own: `open('a/b')`, `if=a/b`, `FILE:a/b`, `f=@a/b`, `-Ta/b`. */
function mentionedIn(word: string, program: string): readonly string[] {
  const { words } = programOf(program);
  const glued = /^-[A-Za-z]([\w./~].*)$/s.exec(word)?.[1];
  const isNamed = words === undefined || words === 'names';
  if (program === 'git' || !isNamed || onlyReads(program)) return glued === undefined ? [] : [glued];
  const given = (glued ?? word).slice(0, maxText);
  const texts = [/[^\w@%+./~-]+/, /[^\w%+./~-]+(?:\/\/)?/].flatMap((mark) => given.split(mark));
  return [...new Set(texts)].filter((text) => /[\w.]/.test(text) && text !== word).slice(0, maxMentions);
}
