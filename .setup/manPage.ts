/** A flag, as the manual page tells it. */
interface ListedFlag {
  readonly name: string;
  readonly value?: string;
  readonly about: string;
}

interface ListedCommand {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  readonly flags: readonly ListedFlag[];
}

export interface ManFacts {
  readonly version: string;
  readonly commands: readonly ListedCommand[];
  readonly commonFlags: readonly ListedFlag[];
  readonly exitCodes: readonly (readonly [code: number, words: string])[];
}

const environment: readonly (readonly [names: string, about: string])[] = [
  ['LLM_BASE_URL, LLM_MODEL, LLM_API_KEY, LLM_PROVIDER, LLM_DIALECT, LLM_TIMEOUT', 'the model; flags win over them'],
  ['VISE_HOME', 'one folder for settings, journals and caches'],
  ['VISE_CHROMIUM, VISE_BROWSER_URL', 'the browser of the browser tools'],
  ['VISE_SCRIPT', 'the replies of the scripted provider'],
  ['NO_COLOR', 'print no colours'],
];

/** `man vise`, in the macros of man(7). Its first line is the page's own; nothing in it depends on the day. */
export function manPage({ version, commands, commonFlags, exitCodes }: ManFacts): string {
  const flagLines = (flags: readonly ListedFlag[]): readonly string[] =>
    flags.flatMap(({ name, value, about }) => [
      '.TP',
      `.B \\-\\-${plain(name)}${value === undefined ? '' : ` \\fI${plain(value)}\\fR`}`,
      plain(about),
    ]);
  const rows = (list: readonly (readonly [string | number, string])[]): readonly string[] =>
    list.flatMap(([left, about]) => ['.TP', `.B ${plain(String(left))}`, plain(about)]);
  return [
    '.\\" made of the table of commands: VISE_UPDATE_DOCS=1 npx vitest run Table.test',
    `.TH VISE 1 "" "Vise ${plain(version)}" "User commands"`,
    '.SH NAME',
    'vise \\- a workbench for coding agents: nothing happens before you let it',
    '.SH SYNOPSIS',
    '.B vise',
    '[\\fICOMMAND\\fR] [\\fIWORDS\\fR] [\\fB\\-\\-FLAGS\\fR]',
    '.SH DESCRIPTION',
    'A language model works on the folder of a project with real tools. Without a command the workbench opens on the folder that is named, or on this one.',
    '.SH COMMANDS',
    ...commands.flatMap(({ name, usage, about, flags }) => [
      `.SS vise ${plain(`${name} ${usage}`.trim())}`,
      plain(about),
      ...flagLines(flags),
    ]),
    '.SS Every command',
    ...flagLines(commonFlags),
    '.SH EXIT STATUS',
    ...rows(exitCodes),
    '.SH ENVIRONMENT',
    ...rows(environment),
    '.SH EXAMPLES',
    '.nf',
    plain('vise exec --mode ask "What does this project do?"'),
    plain('git diff | vise exec "Review this change"'),
    plain('vise exec --continue "Now add a test"'),
    '.fi',
    '',
  ].join('\n');
}

/** Text that no macro or escape is read out of; a minus stays one, so that an example can be copied. */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/, '\\&$1');
}
