import { type Command, literalWord, type Word } from '../parse/line.ts';
import { allLiteral, mayBecomeOption, names } from './options.ts';
import { type Destruction, type Program, programName, type Runs } from './program.ts';

export const find: Program = {
  names: 'find gfind',
  words: 'messages',
  reads: readsOnly,
  sweeps: (argv) => (argv.some((word) => runsProgram.test(word)) ? startsOf(argv) : []),
  opens,
  runs,
  writes,
  tellsWrites: true,
  destroys,
};

const searches = names(
  '-H -L -P -E -X -x -s -d -depth -maxdepth -mindepth -mount -xdev -follow -daystart -noleaf -regextype -name -iname -path ' +
    '-ipath -wholename -iwholename -lname -ilname -regex -iregex -type -xtype -size -empty -mtime -mmin -atime -amin -ctime ' +
    '-cmin -newer -anewer -cnewer -perm -user -group -uid -gid -nouser -nogroup -links -inum -samefile -fstype -readable ' +
    '-writable -executable -true -false -prune -quit -print -print0 -printf -ls -not -a -and -o -or',
);

const runsProgram = /^-(?:exec|execdir|ok|okdir)$/;

/** The folders in front of the first expression. */
function startsOf(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((word, index) => index > 0 && /^(?:-[^HLP]|[(!])/.test(word));
  const starts = argv.slice(1, end < 0 ? undefined : end).filter((word) => !word.startsWith('-'));
  return starts.length > 0 ? starts : ['.'];
}

function readsOnly(words: readonly Word[]): boolean {
  // Any word may be an action for find, so each one must be known not to begin with a dash.
  return words.every((word) => {
    if (mayBecomeOption(word)) return false;
    if (!word.value.startsWith('-')) return true;
    return (
      allLiteral([word]) && (searches.has(word.value) || /^-(?:\d+[a-zA-Z]?|newer[aBcm][aBcmt])$/.test(word.value))
    );
  });
}

/** What it runs is judged by itself; what stands beside it may only read. */
function opens(words: readonly Word[]): boolean {
  let isInner = false;
  return readsOnly(
    words.filter(({ value }) => {
      const was = isInner;
      isInner = isInner ? value !== ';' && value !== '+' : runsProgram.test(value);
      return !was && !isInner;
    }),
  );
}

function runs({ argv, words }: Command): Runs | undefined {
  const commands = argv.flatMap((option, index): readonly (readonly Word[])[] => {
    if (index === 0 || !runsProgram.test(option)) return [];
    const end = argv.findIndex((word, at) => at > index && (word === ';' || word === '+'));
    const inner = words.slice(index + 1, end < 0 ? undefined : end);
    return inner.length > 0 ? [inner] : [];
  });
  return commands.length > 0 ? { commands, reach: argv.length, apart: true } : undefined;
}

/** Where it deletes or changes what it finds: the folders it begins in, the paths it asks for, and the files it prints to. */
function writes(
  { argv, words }: Command,
  _names: readonly Word[],
  changes: (name: string) => boolean,
): readonly Word[] {
  const begins = argv.findIndex((word, index) => index > 0 && /^(?:-[a-z]|[()!])/.test(word));
  const changesFound = argv.some(
    (word, index) => word === '-delete' || (runsProgram.test(word) && changes(programName(argv[index + 1] ?? ''))),
  );
  const behind = (form: RegExp): readonly Word[] => words.filter((_, index) => form.test(argv[index - 1] ?? ''));
  const printed = behind(/^-(?:fprint0?|fprintf|fls)$/);
  if (!changesFound) return printed;
  return [
    ...printed,
    ...words.slice(1, begins < 0 ? undefined : begins),
    // A star of find means dots and slashes as well.
    ...behind(/^-i?(?:path|wholename)$/).map(({ value }) => literalWord(value.replace(/^[*/]+/, ''))),
  ];
}

function destroys({ argv, words }: Command): Destruction | undefined {
  const begins = argv.findIndex(
    (word, index) => index > 0 && /^(?:-[a-z]|[()!])/.test(word) && !/^-[HLPDO]/.test(word),
  );
  const expression = begins < 0 ? [] : argv.slice(begins);
  const removes = expression.some((word, index) => {
    const program = programName(expression[index + 1] ?? '');
    return word === '-delete' || (runsProgram.test(word) && /^(?:rm|unlink|shred)$/.test(program));
  });
  if (!removes) return undefined;
  const roots = words.slice(1, begins).filter(({ value }) => !/^-[HLPDO]/.test(value));
  const isFiltered = expression.some((word) =>
    /^-(?:i?name|i?path|i?regex|size|[acm](?:time|min)|newer.*|empty|user|maxdepth)$/.test(word),
  );
  if (roots.length === 0 && !isFiltered) return { why: 'deletes everything in the folder' };
  // A filter keeps a search below the project in bounds, not one over the home or the system.
  const outside = roots.filter(({ value }) => !/^\.\/?$/.test(value));
  return { verb: 'deletes what it finds in', words: isFiltered ? outside : roots };
}
