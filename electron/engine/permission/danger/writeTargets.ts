import { gitVerbIndex } from '../commandParts/gitVerbIndex.ts';
import { programText } from '../commandParts/programText.ts';
import { type CommandPart, literalWord, type Word } from '../commandParts/types.ts';
import { programName } from '../commandParts/wrapperTable.ts';

/**
 * The files that a part is known to write, create, move or remove: redirections, and the arguments of programs whose
 * purpose it is. Not complete: any program may write anywhere; only the operating system's sandbox is a boundary.
 */
export function writeTargets(part: CommandPart): readonly Word[] {
  const redirected = part.redirects.filter(({ write }) => write).map(({ word }) => word);
  return [...redirected, ...written(part), ...(programText(part)?.writes ?? [])];
}

function written(part: CommandPart): readonly Word[] {
  const name = programName(part.argv[0] ?? '');
  const names = part.words.slice(1).filter(({ value }) => !/^-./.test(value));
  const option = (...forms: readonly string[]) => optionValues(part.words, forms);
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
    case 'cp':
    case 'install':
    case 'ln':
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
      return part.argv.some((word) => /^-[A-Za-z]*[iI]|^--in-place/.test(word)) ? names : [];
    case 'perl':
    case 'ruby':
      return part.argv.some((word) => /^-[a-z0-9]*i/.test(word)) ? names : [];
    case 'awk':
    case 'gawk':
      return part.argv.includes('inplace') ? names : [];
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
      return part.argv.filter((word) => word.startsWith('of=')).map((word) => literalWord(word.slice(3)));
    case 'curl':
      return option('-o', '--output', '--output-dir');
    case 'wget':
      return option('-O', '--output-document', '-P', '--directory-prefix');
    case 'sort':
    case 'tree':
      return option('-o', '--output');
    case 'tar':
      return option('-C', '--directory');
    case 'unzip':
      return option('-d');
    case 'git':
      return gitWrites(part, names);
    default:
      return [];
  }
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
function gitWrites(part: CommandPart, names: readonly Word[]): readonly Word[] {
  const verb = part.argv[gitVerbIndex(part.argv)] ?? '';
  return /^(?:rm|mv|checkout|restore)$/.test(verb) ? names.filter(({ value }) => value !== verb) : [];
}
