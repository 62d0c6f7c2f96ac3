import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validateSpec } from '../validateSpec.ts';
import { commandNames, scrapeHelp } from './scrapeHelp.ts';

/** Help texts of programs that do not exist, in the styles that do. */
const gnu = `Usage: pack [OPTION]... SOURCE [FILE]...
  or:  pack --list ARCHIVE
Pack files into an archive. Nothing is deleted.

Mandatory arguments to long options are mandatory for short options too.
  -a, --all                 take everything, even with
                              --quiet in force
  -b, --block=SIZE          blocks of SIZE bytes
      --color[=WHEN]        colour the names; WHEN is 'always' or 'never'
  -n, --max=NUM             at most NUM files (default: 10)
      --[no-]links          follow links
      --one single blank before the text
  -x                        only a short form
      --help        display this help and exit
      --version     output version information and exit

Examples:
  pack --imaginary x
`;

const cobra = `Boat steers containers.

Usage:
  boat [command]

Core Commands:
  create, c     Create a harbour
  run           Run something
                that goes on here

Additional Commands:
  completion    Generate a script
  help          Help about any command
  port:add      Add a port

Flags:
  -c, --config string      where it is (default "boat.yml")
      --level {low,high}   how much
      --tag stringArray    repeatable
      --mode string        (choices: fast, slow)
  -h, --help               help for boat

Use "boat [command] --help" for more.
`;

const gitLike = `usage: vcs [-v] <command> [<args>]

These are common commands used in various situations:

start a working area
   clone     Copy a repository
   init      Make an empty one

work on the current change (see also: vcs help everyday)
   add       Add contents
   rm        Remove files, see 'vcs help rm'
`;

const npmLike = `mgr <command>

Usage:

mgr install        install all
mgr test           run tests

All commands:

    access, adduser, audit, bugs,
    cache, ci, dist-tag,
    whoami

Specify configs in the file:
    /etc/mgrrc
`;

const flagsOf = (text: string, name = 'pack') => {
  const spec = scrapeHelp({ text, name, version: '1.0' });
  return (spec.globalFlags ?? spec.commands[0]?.flags ?? []).map(
    ({ name: flag, type, short, default: fallback, enum: words }) =>
      [flag, type, short, fallback as string | number | undefined, words?.join(',')]
        .filter((part) => part !== undefined)
        .join(' '),
  );
};

describe('the help scraper', () => {
  test('reads options with values, defaults and negations, and no prose', () => {
    expect(flagsOf(gnu)).toEqual([
      'all boolean a',
      'block string b',
      'color string',
      'max number n 10',
      'links boolean',
      'one boolean',
      'x boolean',
    ]);
  });

  test('a letter without a long name is a flag with one dash; of two names the second may be the value', () => {
    const text = 'Options:\n  -n NUM   at most NUM lines\n  -q       quiet\n  -h       show this help\n';
    const spec = scrapeHelp({ text, name: 'show', version: '1.0' });
    const flags = (spec.commands[0]?.flags ?? []).map(({ name, type, dashes }) => [name, type, dashes]);
    expect(flags).toEqual([
      ['n', 'number', 1],
      ['q', 'boolean', 1],
    ]);
    const watch =
      'Flags:\n  -i, --interval --watch   Refresh interval in seconds when using --watch flag (default 10)\n      --watch              Watch until they finish\n';
    expect(flagsOf(watch, 'checks')).toEqual(['interval string i 10', 'watch boolean']);
  });

  test('reads positionals and the description of a tool without sub-commands', () => {
    const spec = scrapeHelp({ text: gnu, name: 'pack', version: '1.0' });
    const [run] = spec.commands;
    expect([spec.commands.length, run?.name, run?.args, run?.flags?.[0]?.description, spec.description]).toEqual([
      1,
      'run',
      [
        { name: 'source', description: 'source', required: true, type: 'path' },
        { name: 'file', description: 'file', required: false, type: 'path', repeated: true },
      ],
      'take everything, even with --quiet in force',
      'Pack files into an archive. Nothing is deleted.',
    ]);
  });

  test('reads commands below several headings, without aliases and standard rows', () => {
    const spec = scrapeHelp({ text: cobra, name: 'boat', version: '1.0' });
    expect([
      spec.commands.map(({ name, description, words }) => [name, description, words]),
      flagsOf(cobra, 'boat'),
    ]).toEqual([
      [
        ['create', 'Create a harbour', undefined],
        ['run', 'Run something that goes on here', 'run'],
        ['port:add', 'Add a port', undefined],
      ],
      ['config string c boat.yml', 'level string low,high', 'tag string', 'mode string fast,slow'],
    ]);
  });

  test.each([
    ['git', gitLike, 'vcs', ['clone', 'init', 'add', 'rm']],
    ['npm', npmLike, 'mgr', ['access', 'adduser', 'audit', 'bugs', 'cache', 'ci', 'dist-tag', 'whoami']],
    [
      'apt',
      'x does things.\n\nMost used commands:\n  list - list packages\n  full-up - more - and more\n\nSee more.\n',
      'x',
      ['list', 'full-up'],
    ],
    [
      'gh',
      'Work.\n\nCORE COMMANDS\n  auth:        Log in\n  repo:        Manage\n\nLEARN MORE\n  see:         the manual\n',
      'x',
      ['auth', 'repo'],
    ],
    [
      'columns',
      'Standard commands\na1     bb     cc\ndd     ee_f   gg\nhh     ii     jj\nkk\n',
      'x',
      ['a1', 'bb', 'cc', 'dd', 'ee_f', 'gg', 'hh', 'ii', 'jj', 'kk'],
    ],
    [
      'argparse',
      'usage: x [-h] {init,co} ...\n\npositional arguments:\n  {init,co}  what to do\n    init     make it\n    co (c)   check out\n  colour     {red,green}\n',
      'x',
      ['init', 'co'],
    ],
    [
      'rich',
      ' Usage: x COMMAND\n\n\u256d\u2500 Commands \u2500\u2500\u256e\n\u2502 make   Make a user. \u2502\n\u2502 drop   Drop it.     \u2502\n\u2570\u2500\u2500\u2500\u256f\n',
      'x',
      ['make', 'drop'],
    ],
    [
      'oclif',
      'COMMANDS\n  login   Log in.\n  plugins List them.\n  search  Search.\n',
      'x',
      ['login', 'plugins', 'search'],
    ],
    [
      'symfony',
      'Available commands:\n  about       Shows\n cache\n  cache:pool  Prune\n',
      'x',
      ['about', 'cache:pool'],
    ],
    ['thor', 'Commands:\n  x add GEM         # Add\n  x check [OPTIONS] # Check\n', 'x', ['add', 'check']],
    ['az', 'Subgroups:\n    acr   : Registries.\n\nCommands:\n    login : Log in.\n', 'x', ['acr', 'login']],
    ['aws', 'AVAILABLE SERVICES\n       o s3\n\n       o ec2\n', 'x', ['s3', 'ec2']],
    [
      'nested brackets',
      'Commands:\n  call SERVICE [SIG [ARG...]]\n                 Call it\n  list           List\n',
      'x',
      ['call', 'list'],
    ],
    [
      'systemctl',
      'Environment Commands:\n  show-environment        Dump it\n  set-environment V=W...  Set it\n',
      'x',
      ['show-environment', 'set-environment'],
    ],
    ['no heading', 'usage: x COMMAND\n\n  make     Make it\n  break    Break it\n', 'x', ['make', 'break']],
    [
      'a table of exit codes',
      'Usage: x DURATION COMMAND\n\nExit status:\n  124  it took too long\n  -    the exit status otherwise\n',
      'x',
      [],
    ],
  ])('finds the commands in the style of %s', (_, text, name, names) => {
    expect(commandNames(text, name)).toEqual(names);
  });

  test('takes flags and arguments of sub-commands from their own help', () => {
    const deep = new Map([
      [
        'create',
        'Usage:\n  boat create NAME [flags]\n\nFlags:\n      --config string   where\n      --size int        how big\n      --json            JSON\n',
      ],
    ]);
    const [create] = scrapeHelp({ text: cobra, name: 'boat', version: '1.0', deep }).commands;
    expect([create?.args, create?.flags?.map(({ name, type }) => `${name} ${type}`), create?.output]).toEqual([
      [{ name: 'name', description: 'name', required: true, type: 'string' }],
      ['size number', 'json boolean'],
      { format: 'text' },
    ]);
  });

  test('understands colours, overstrike and tabs', () => {
    const text = '\u001b[1mOptions:\u001b[0m\n\t-a, -\b--\b-a\bal\bll\bl\ttake all\r\n';
    expect(flagsOf(text)).toEqual(['all boolean a']);
  });

  test.each([
    ['--exclude-from FILE, -X FILE  skip', 'exclude-from path'],
    ['-D, --define <key>=<value>  set', 'define string'],
    ['--depth=<n>[,...]', 'depth string'],
    ['-e script, --expression=script', 'expression string e'],
    ['--when always|never|auto: colour', 'when string always,never,auto'],
    ['-f  ....  --quit', 'quit boolean f'],
    ['[--no-color]   # Disable it', 'no-color boolean'],
    ['-r, [--retry=NUM]  # Try again', 'retry number r'],
    ['--url (string)', 'url string'],
    ['--tls=false:', 'tls boolean false'],
    ['--mode  the mode  [string] [choices: "a", "b"] [default: "a"]', 'mode string a a,b'],
    ['--target=NAME - the name', 'target string'],
  ])('reads the row %j', (row, flag) => {
    expect(flagsOf(`Options:\n  ${row}\n`)).toEqual([flag]);
  });

  test.each(['--alias-<LANG>=x', '-long-old', '- a bullet', '--Upper', '--a_b'])('finds no flag in %j', (row) => {
    expect(flagsOf(`Options:\n  ${row}\n`)).toEqual([]);
  });

  const words = fc.constantFrom(
    'usage:',
    'Commands:',
    'x',
    '  ',
    '\n',
    '--flag',
    '-f',
    '=',
    '<v>',
    '[',
    ']',
    '...',
    'NAME',
    'run',
    'a, b, c, d',
    '\t',
    '{a,b}',
    '(default: 5)',
    '\u001b[1m',
    'OPTIONS',
  );

  test('makes a valid spec of any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 300 }),
          fc.array(words).map((parts) => parts.join(' ')),
        ),
        fc.string(),
        (text, name) => {
          const check = validateSpec(
            scrapeHelp({
              text,
              name,
              version: '',
              deep: new Map([
                ['run', text],
                ['x', text],
              ]),
            }),
            true,
          );
          expect(check.ok ? [] : check.errors).toEqual([]);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('the description', () => {
  const about = (text: string): string => scrapeHelp({ text, name: 'tool', version: '1.0' }).description;

  test.each([
    ['a form of the command without the word usage', 'tool [OPTIONS...] COMMAND ...\n\nQuery the manager.\n'],
    ['a banner with a slash', 'tool/8.3.8\n\nQuery the manager.\n'],
    ['a title right above options', 'Basic Configuration\n    -c, --config=PATH  where\n\nQuery the manager.\n'],
  ])('is never %s', (_, text) => {
    expect(about(text)).toBe('Query the manager.');
  });

  test('is the usual words where there is none', () => {
    expect(about('tool/8.3.8\n\nUsage: tool [options]\n')).toBe('tool command-line tool');
  });
});

test('a positional of several words is one where marks say so', () => {
  const { commands } = scrapeHelp({
    text: 'Usage: tool [OPTIONS] <some filter> [file...]\n',
    name: 'tool',
    version: '1',
  });
  expect(commands[0]?.args?.map(({ name, required }) => [name, required])).toEqual([
    ['some-filter', true],
    ['file', false],
  ]);
});
