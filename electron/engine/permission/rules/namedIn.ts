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
      target.kind === 'path' ? `path ${target.path}` : target.kind === 'host' ? `host ${target.host}` : target.kind;
    if (!targets.has(key)) targets.set(key, target);
  };
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
        const path = form.replace(/^--?[\w-]+=/, '');
        if (form === '/dev/null' || isAddress || path === '' || path.startsWith('-')) continue;
        for (const folder of folders) {
          add({
            kind: 'path',
            path: projectPath(path, folder, context.project),
            command,
            isPattern,
            meant: () => pathsMeant(path, folder, context),
          });
        }
      }
    }
  }
  return [...targets.values()];
}
