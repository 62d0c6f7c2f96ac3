import type { Command } from './base/command.ts';
import { exitCodes, type Io, refuse } from './base/io.ts';
import type { Flag, Parsed } from './base/parseFlags.ts';

/** What may stand behind one command. */
interface Offered {
  readonly name: string;
  readonly about: string;
  /** What it can be told to do, the first word behind it. */
  readonly words: readonly string[];
  readonly flags: readonly Flag[];
}

const shells = { bash, zsh, fish, powershell };

/** `vise completion SHELL`: the completion of that shell as a script, made of the table of commands. */
export async function runCompletion(parsed: Parsed, io: Io, commands: readonly Command[]): Promise<number> {
  const [name = ''] = parsed.words;
  if (!isShell(name))
    return refuse(
      io,
      'completion',
      `name a shell: ${Object.keys(shells).join(', ')}. bash: source <(vise completion bash)`,
    );
  io.out(shells[name](commands.map(offeredOf)));
  return exitCodes.done;
}

function isShell(name: string): name is keyof typeof shells {
  return Object.hasOwn(shells, name);
}

function offeredOf({ name, about, usage, flags }: Command): Offered {
  const words = usage
    .split('|')
    .map((part) => /^\[?([a-z]+)\b/.exec(part.trim())?.[1])
    .filter((word) => word !== undefined);
  return { name, about, words, flags: [...flags, { name: 'help', about: 'tell more of this command' }] };
}

const all = (offered: readonly Offered[]): readonly string[] => offered.map(({ name }) => name);
const behind = ({ words, flags }: Offered): readonly string[] => [...words, ...flags.map(({ name }) => `--${name}`)];

/** The values of the flags that take only these, by flag. */
function choices(offered: readonly Offered[]): readonly (readonly [flag: string, values: readonly string[]])[] {
  const byFlag = new Map(offered.flatMap(({ flags }) => flags.map((flag) => [flag.name, flag.choices] as const)));
  return [...byFlag].flatMap(([name, values]) => (values ? [[`--${name}`, values] as const] : []));
}

function bash(offered: readonly Offered[]): string {
  const values = choices(offered).map(([flag, words]) => `    ${flag}) words='${words.join(' ')}' ;;`);
  const commands = offered.map((one) => `        ${one.name}) words='${behind(one).join(' ')}' ;;`);
  return `# bash completion of vise: source <(vise completion bash)
_vise() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=''
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
    *)
      if [ "$COMP_CWORD" -eq 1 ]; then words='${all(offered).join(' ')}'
      else case "\${COMP_WORDS[1]}" in
${commands.join('\n')}
      esac; fi ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _vise vise
`;
}

function zsh(offered: readonly Offered[]): string {
  const values = choices(offered).map(([flag, words]) => `    ${flag}) compadd -- ${words.join(' ')}; return ;;`);
  const commands = offered.map((one) => `    ${one.name}) compadd -- ${behind(one).join(' ')} ;;`);
  return `#compdef vise
# zsh completion of vise: source <(vise completion zsh)
_vise() {
  case "\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  if (( CURRENT == 2 )); then compadd -- ${all(offered).join(' ')}; _files; return; fi
  case "\${words[2]}" in
${commands.join('\n')}
  esac
  _files
}
compdef _vise vise
`;
}

function fish(offered: readonly Offered[]): string {
  const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
  const lines = offered.flatMap(({ name, about, words, flags }) => [
    `complete -c vise -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
    ...words.map((word) => `complete -c vise -n '__fish_seen_subcommand_from ${name}' -a ${word}`),
    ...flags.map((flag) => {
      const value = flag.choices ? ` -x -a ${quoted(flag.choices.join(' '))}` : flag.value === undefined ? '' : ' -r';
      return `complete -c vise -n '__fish_seen_subcommand_from ${name}' -l ${flag.name}${value} -d ${quoted(flag.about)}`;
    }),
  ]);
  return `# fish completion of vise: vise completion fish | source\n${lines.join('\n')}\n`;
}

function powershell(offered: readonly Offered[]): string {
  const list = (words: readonly string[]): string => `@(${words.map((word) => `'${word}'`).join(', ')})`;
  const rows = [
    `  '' = ${list(all(offered))}`,
    ...offered.map((one) => `  '${one.name}' = ${list(behind(one))}`),
    ...choices(offered).map(([flag, words]) => `  '${flag}' = ${list(words)}`),
  ];
  return `# PowerShell completion of vise: vise completion powershell | Out-String | Invoke-Expression
$viseWords = @{
${rows.join('\n')}
}
Register-ArgumentCompleter -Native -CommandName vise -ScriptBlock {
  param($word, $line, $cursor)
  $given = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -ne '' -and $given.Count -gt 0) { $given = @($given | Select-Object -SkipLast 1) }
  $key = if ($given.Count -eq 0) { '' } elseif ($viseWords.ContainsKey($given[-1]) -and $given[-1].StartsWith('--')) { $given[-1] } else { $given[0] }
  $viseWords[$key] | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}
