import { type Command, isLiteral, literalWord, type Word } from '../../shell/parse/line.ts';
import { mountSources } from '../../shell/programs/containers.ts';
import { programName } from '../../shell/programs/program.ts';
import { programOf } from '../../shell/programs/programs.ts';

/** What may lie outside of the project: `../x`, `~/x`, `$HOME/x`, `/x/y`; no text with blanks, no mere `/`. */
const leadsOut = /^(?:\.\.(?:\/\S*)?|(?:~|\$HOME|\$\{HOME\})(?:\/\S*)?|\/(?!dev\/)[\w.@+-]\S*)$/;
/** Their first name is a pattern or a text, which may begin with a slash. */
const takesPattern = /^(?:[efz]?grep|rg|ag|ack|ugrep|g?sed|[gmn]?awk|jq|yq|fd|fdfind)$/;

/** Behind these, paths are of another machine or of a container. */
const elsewhere = /^(?:docker|docker-compose|podman|nerdctl|kubectl|ssh|adb|wsl)$/;
const runsInside = /^(?:run|exec|create|debug)$/;

export interface NamedPlace {
  readonly word: Word;
  /** The word of the line in which it stands. */
  readonly named: string;
}

/** The words of a command that may be files or folders outside of the project, values of options among them. */
export function placesIn({ argv, words, redirects, via }: Command): readonly NamedPlace[] {
  const name = programName(argv[0] ?? '');
  if (programOf(name).words === 'text' || name === 'ssh' || via.some((program) => elsewhere.test(program))) return [];
  const isInside = elsewhere.test(name) && argv.some((word) => runsInside.test(word));
  const first = takesPattern.test(name) ? words.findIndex(({ value }, at) => at > 0 && !/^-./.test(value)) : -1;
  const given = words.flatMap((word, at): readonly NamedPlace[] => {
    if (at === 0 || at === first) return [];
    const value = isLiteral(word) ? /^(?:--?[\w-]+=|-[A-Za-z](?=[/~.]))(.+)$/s.exec(word.value)?.[1] : undefined;
    return [{ word: value === undefined ? word : literalWord(value), named: word.value }];
  });
  const read = redirects.flatMap(({ word, write, body }) =>
    write || body !== undefined ? [] : [{ word, named: word.value }],
  );
  const mounted = isInside
    ? mountSources(argv, 'all').map((place) => ({ word: literalWord(place), named: place }))
    : [];
  const found = isInside ? given.filter(({ word }) => !word.value.startsWith('/')) : given;
  return [...found, ...mounted, ...read].filter(({ word }) => leadsOut.test(word.value));
}
