import { type Command, literalWord, type Word } from './parse/line.ts';
import { gitVerbIndex } from './programs/gitVerbIndex.ts';
import { programText } from './programs/programText.ts';
import { programName } from './programs/wrapperTable.ts';

/**
 * The files that a command is known to write, create, move or remove: redirections, and the arguments of programs whose
 * purpose it is. Not complete: any program may write anywhere; only the operating system's sandbox is a boundary.
 */
export function writeTargets(command: Command): readonly Word[] {
  const redirected = command.redirects.filter(({ write }) => write).map(({ word }) => word);
  return [...redirected, ...written(command), ...(programText(command)?.writes ?? [])];
}

/** Programs that write the files that they are given, so that words that come later are such files too. */
export function isWriter({ argv }: Command): boolean {
  const name = programName(argv[0] ?? '');
  if (/^(?:g?sed|perl|ruby)$/.test(name)) return argv.some((word) => /^-[A-Za-z0-9]*i|^--in-place/.test(word));
  return writers.test(name);
}

const writers =
  /^(?:tee|touch|mkdir|rm|rmdir|unlink|truncate|shred|chmod|chown|chgrp|cp|install|ln|mv|rename|dd|patch|sponge|gzip|gunzip|xz|bzip2)$/;

function written(command: Command): readonly Word[] {
  const name = programName(command.argv[0] ?? '');
  const names = command.words.slice(1).filter(({ value }) => !/^-./.test(value));
  const option = (...forms: readonly string[]) => optionValues(command.words, forms);
  switch (name) {
    case 'tee':
    case 'touch':
    case 'mkdir':
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'truncate':
    case 'shred':
    case 'mkfifo':
    case 'del':
    case 'erase':
    case 'rd':
    case 'md':
    case 'sponge':
      return names;
    case 'chmod':
    case 'chown':
    case 'chgrp':
      return names.slice(1);
    // Behind a link, or a copy that is one, another name leads to the same place.
    case 'ln':
      return [...names, ...copied(names, option('-t', '--target-directory'))];
    case 'cp':
      return [
        ...copied(names, option('-t', '--target-directory')),
        ...(command.argv.some((word) => /^-[A-Za-z]*[ls]|^--(?:link|symbolic-link)$/.test(word)) ? names : []),
      ];
    case 'install':
    case 'rsync':
    case 'scp':
    case 'copy':
    case 'xcopy':
      return copied(names, option('-t', '--target-directory'));
    case 'mv':
    case 'move':
    case 'ren':
    case 'rename':
      return [...names, ...copied(names, option('-t', '--target-directory'))];
    case 'sed':
    case 'gsed':
      return command.argv.some((word) => /^-[A-Za-z]*[iI]|^--in-place/.test(word)) ? names : [];
    case 'perl':
    case 'ruby':
      return command.argv.some((word) => /^-[a-z0-9]*i/.test(word)) ? names : [];
    case 'awk':
    case 'gawk':
      return command.argv.includes('inplace') ? names : [];
    case 'ed':
    case 'ex':
    case 'vi':
    case 'vim':
    case 'nvim':
    case 'nano':
    case 'emacs':
    case 'patch':
      return names;
    case 'dd':
      return command.argv.filter((word) => word.startsWith('of=')).map((word) => literalWord(word.slice(3)));
    case 'curl':
      return option(
        '-o',
        '--output',
        '--output-dir',
        '-c',
        '--cookie-jar',
        '-D',
        '--dump-header',
        '--trace',
        '--trace-ascii',
      );
    case 'wget':
      return option('-O', '--output-document', '-P', '--directory-prefix');
    case 'sort':
    case 'tree':
      return option('-o', '--output');
    case 'tar':
      return [
        ...option('-C', '--directory'),
        ...(command.argv.some(createsArchive) ? option('-f', '--file').concat(names.slice(0, 2)) : []),
      ];
    case 'gzip':
    case 'gunzip':
    case 'bzip2':
    case 'bunzip2':
    case 'xz':
    case 'unxz':
    case 'zstd':
    case 'script':
      return [...names, ...option('-o')];
    case 'zip':
    case 'sqlite3':
      return names.slice(0, 1);
    case 'uniq':
    case 'xxd':
    case 'csplit':
    case 'split':
      return [...names.slice(1), ...option('-f', '--prefix')];
    case 'yq':
      return command.argv.some((word) => /^-[A-Za-z]*i|^--inplace/.test(word)) ? names : [];
    case 'find':
    case 'gfind':
      return foundAndWritten(command);
    case 'unzip':
      return option('-d');
    case 'git':
      return gitWrites(command, names);
    default:
      return option(
        '-o',
        '-out',
        '--out',
        '--output',
        '--outfile',
        '--out-file',
        '--output-file',
        '--outdir',
        '--out-dir',
      );
  }
}

/** `cf`, `-czf`, `--create`, `-rf`: the archive itself is written. */
function createsArchive(word: string, index: number): boolean {
  return index === 1 ? /^-?[A-Za-z]*[cruA]/.test(word) : /^-[A-Za-z]*[cru]|^--(?:create|append|update)$/.test(word);
}

/** Where find deletes or changes what it finds: the folders it begins in, the paths it asks for, and the files it prints to. */
function foundAndWritten({ argv, words }: Command): readonly Word[] {
  const begins = argv.findIndex((word, index) => index > 0 && /^(?:-[a-z]|[()!])/.test(word));
  const changes = argv.some(
    (word, index) =>
      word === '-delete' ||
      (/^-(?:exec|execdir|ok|okdir)$/.test(word) && writers.test(programName(argv[index + 1] ?? ''))),
  );
  const behind = (form: RegExp): readonly Word[] => words.filter((_, index) => form.test(argv[index - 1] ?? ''));
  const printed = behind(/^-(?:fprint0?|fprintf|fls)$/);
  if (!changes) return printed;
  return [
    ...printed,
    ...words.slice(1, begins < 0 ? undefined : begins),
    ...behind(/^-i?(?:path|wholename)$/).map(withoutStars),
  ];
}

/** A star of find means dots and slashes as well. */
function withoutStars({ value }: Word): Word {
  return literalWord(value.replace(/^[*/]+/, ''));
}

/** The last name and, because it may be a folder, each source's name below it. */
function copied(names: readonly Word[], folders: readonly Word[]): readonly Word[] {
  const target = folders[0] ?? names.at(-1);
  if (!target) return [];
  const sources = folders.length > 0 ? names : names.slice(0, -1);
  return [target, ...sources.map((source) => below(target, source))];
}

function below(folder: Word, source: Word): Word {
  const base = source.value.replace(/\/+$/, '').split('/').at(-1) ?? '';
  const tail = literalWord(`/${base}`);
  return { raw: `${folder.raw}/${base}`, pieces: [...folder.pieces, ...tail.pieces], value: `${folder.value}/${base}` };
}

function optionValues(words: readonly Word[], forms: readonly string[]): readonly Word[] {
  const found: Word[] = [];
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (forms.includes(word.value) && next) found.push(next);
    for (const form of forms) {
      const prefix = form.startsWith('--') ? `${form}=` : form;
      if (
        word.value.startsWith(prefix) &&
        word.value.length > prefix.length &&
        !word.value.startsWith('--', form.length - 1)
      ) {
        found.push(literalWord(word.value.slice(prefix.length)));
      }
    }
  }
  return found;
}

/** `git rm`, `git mv` and `git checkout -- file` change files; what git does inside `.git` is its own affair. */
function gitWrites(command: Command, names: readonly Word[]): readonly Word[] {
  const verb = command.argv[gitVerbIndex(command.argv)] ?? '';
  if (/^(?:diff|log|show|archive|format-patch|shortlog|bundle|worktree|init)$/.test(verb)) {
    const made = /^(?:bundle|worktree|init)$/.test(verb) ? names.filter(({ value }) => value !== verb) : [];
    return [...optionValues(command.words, ['-o', '--output', '--output-directory']), ...made];
  }
  return /^(?:rm|mv|checkout|restore)$/.test(verb) ? names.filter(({ value }) => value !== verb) : [];
}
