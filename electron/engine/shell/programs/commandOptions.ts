/** How a program takes a command as the value of an option. */
interface CommandOptions {
  /** Long names, also abbreviated. */
  readonly long?: readonly string[];
  /** Letters; the value is glued or the next word. */
  readonly short?: string;
  /** Where the command stands in the value; the whole value without it. Values that do not fit name no command. */
  readonly within?: RegExp;
}

const tar: CommandOptions = {
  long: ['to-command', 'use-compress-program', 'rsh-command', 'info-script', 'new-volume-script'],
  short: 'IF',
};
const pager: CommandOptions = { long: ['pager'] };
const connected: CommandOptions = {
  short: 'o',
  within: /^\s*(?:proxycommand|localcommand|knownhostscommand|remotecommand)\s*[=\s]\s*(.*)$/is,
};
const netcat: CommandOptions = { long: ['exec', 'sh-exec', 'lua-exec'], short: 'ec' };
const editor: CommandOptions = { long: ['cmd'], short: 'c', within: /!(.*)$/s };
const action: CommandOptions = { long: ['checkpoint-action'], within: /^exec=(.*)$/s };

/** By the manuals of GNU tar 1.35, rsync 3, OpenSSH 9, git 2.47, man-db 2, coreutils 9, ripgrep 14, bat, zip 3, nmap 7, vim 9, gdb 14. */
const programs: ReadonlyMap<string, readonly CommandOptions[]> = new Map<string, readonly CommandOptions[]>([
  ...['tar', 'gtar', 'bsdtar'].map((name) => [name, [tar, action]] as const),
  ['rsync', [{ long: ['rsh', 'rsync-path'], short: 'e' }]],
  ['ssh', [connected]],
  ['scp', [connected, { short: 'S' }]],
  ['sftp', [connected, { short: 'S' }]],
  ['man', [{ long: ['pager', 'html'], short: 'P' }]],
  ['sort', [{ long: ['compress-program'] }]],
  ['split', [{ long: ['filter'] }]],
  ['rg', [{ long: ['pre', 'hostname-bin'] }]],
  ...['ag', 'bat', 'batcat', 'delta'].map((name) => [name, [pager]] as const),
  ['zip', [{ long: ['unzip-command'] }]],
  ['wget', [{ long: ['use-askpass'] }]],
  ['tcpdump', [{ short: 'z' }]],
  ...['nc', 'ncat', 'netcat'].map((name) => [name, [netcat]] as const),
  ['cpio', [{ long: ['rsh-command'] }]],
  ['nodemon', [{ long: ['exec'], short: 'x' }]],
  ['fzf', [{ long: ['preview'] }, { long: ['bind'], within: /execute[-a-z]*[(:[{](.*?)[)\]}]?$/s }]],
  ['start-stop-daemon', [{ long: ['exec', 'startas'], short: 'xa' }]],
  ...['vi', 'vim', 'nvim', 'gvim', 'view', 'vimdiff', 'ex'].map((name) => [name, [editor]] as const),
  ['gdb', [{ long: ['eval-command', 'ex'], within: /^(?:shell|!)\s*(.*)$/s }]],
  ['git clone', [{ long: ['upload-pack'], short: 'u' }]],
  ...['git fetch', 'git pull', 'git ls-remote', 'git fetch-pack'].map(
    (name) => [name, [{ long: ['upload-pack', 'exec'] }]] as const,
  ),
  ...['git push', 'git send-pack', 'git archive'].map((name) => [name, [{ long: ['receive-pack', 'exec'] }]] as const),
  ['git difftool', [{ long: ['extcmd'], short: 'x' }]],
  ['git grep', [{ long: ['open-files-in-pager'], short: 'O' }]],
]);

export interface OptionCommand {
  readonly script: string;
  /** The word in which it ends. */
  readonly at: number;
}

/** The commands that stand in options of a program; `key` is its name, for git with the verb. */
export function optionCommands(key: string, argv: readonly string[]): readonly OptionCommand[] {
  const found: OptionCommand[] = [];
  for (const { long = [], short = '', within } of programs.get(key) ?? []) {
    for (const [index, word] of argv.entries()) {
      const value = index === 0 ? undefined : optionValue(word, argv[index + 1], long, short);
      if (value === undefined) continue;
      const script = within ? within.exec(value.text)?.[1] : value.text;
      if (script !== undefined && script !== '') found.push({ script, at: index + (value.isNext ? 1 : 0) });
    }
  }
  return found;
}

function optionValue(
  word: string,
  next: string | undefined,
  long: readonly string[],
  short: string,
): { readonly text: string; readonly isNext: boolean } | undefined {
  const [, dashes, name = '', glued] = /^(--?)([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (dashes === undefined) return undefined;
  const isLong = long.some(
    (option) => option === name || (dashes === '--' && name.length > 2 && option.startsWith(name)),
  );
  if (isLong) return glued === undefined ? taken(next) : { text: glued, isNext: false };
  if (dashes === '--') return undefined;
  const at = [...word].findIndex((letter, index) => index > 0 && short.includes(letter));
  // Only behind other letters it is an option: `-xvI zstd`.
  if (at < 1 || !/^[A-Za-z]*$/.test(word.slice(1, at))) return undefined;
  return at === word.length - 1 ? taken(next) : { text: word.slice(at + 1), isNext: false };
}

function taken(next: string | undefined): { readonly text: string; readonly isNext: true } | undefined {
  return next === undefined ? undefined : { text: next, isNext: true };
}
