import type { Command, Word } from '../../shell/parse/line.ts';
import type { PlacedLine } from '../../shell/placedLine.ts';
import { unwrap } from '../../shell/unwrap.ts';
import { isUnknown, pathTexts } from '../../shell/values.ts';
import { writeTargets } from '../../shell/writeTargets.ts';
import { placesIn } from './placesIn.ts';
import { pathsMeant, type RuleContext } from './ruleContext.ts';
import type { RuleTarget } from './ruleTarget.ts';

/** The paths that these words of a command mean, wherever it may run. */
export function writtenPaths(
  words: readonly Word[],
  command: Command,
  { around, folders }: PlacedLine,
  context: RuleContext,
): readonly RuleTarget[] {
  return words.flatMap((word): readonly RuleTarget[] => {
    if (/^\/dev\/(?:null|stdout|stderr|tty)$/.test(word.value)) return [];
    const texts = pathTexts(word, around);
    if (texts.some(isUnknown) || word.pieces.some(({ kind }) => kind === 'glob' || kind === 'brace'))
      return [{ kind: 'path', path: null, command }];
    return texts.flatMap((text) =>
      folders.flatMap((folder) =>
        pathsMeant(text, folder, context).map((path) => ({ kind: 'path' as const, path, command })),
      ),
    );
  });
}

/** What a command reads, runs or writes outside of the project: a rule must name it word by word, or its path (C10). */
export function outsidePaths(command: Command, line: PlacedLine, context: RuleContext): readonly RuleTarget[] {
  const inner = (one: Command): readonly Command[] => [one, ...(unwrap(one)?.commands ?? []).flatMap(inner)];
  const places = inner(command).flatMap((one) => [
    ...writeTargets({ ...one, redirects: [] }).map((word) => ({ word, named: word.value })),
    ...placesIn(one),
  ]);
  return places.flatMap(({ word, named }) =>
    writtenPaths([word], command, line, context).flatMap((target) =>
      target.kind === 'path' && target.path !== null && /^(?:[/~]|\.\.|[A-Za-z]:)/.test(target.path)
        ? [{ ...target, orNamed: named }]
        : [],
    ),
  );
}
