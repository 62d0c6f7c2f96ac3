import { describe, expect, test } from 'vitest';
import { scrapeHelp } from './scrapeHelp.ts';
import { describeSpec } from './testing/describeSpec.ts';

/** What is read of a help text, in lines. */
const read = (text: string, name: string): readonly string[] =>
  describeSpec(scrapeHelp({ text, name, version: '1.0' }));

describe('the common formats of help', () => {
  test('argparse: choices, values in twos and sub-parsers', () => {
    const text = `usage: prog [-h] [--verbose] [--level {low,mid,high}] [--tag TAG] [--pair X Y] [--rest [REST ...]] [--more MORE [MORE ...]] src [dst] {init,co} ...

Process things.

positional arguments:
  src                   the source file
  dst                   where to
  {init,co}
    init                make it
    co                  check out

options:
  -h, --help            show this help message and exit
  --verbose             be loud
  --level {low,mid,high}
                        how much (default: mid)
  --tag TAG             may be given multiple times
  --pair X Y            two of them
  --rest [REST ...]
  --more MORE [MORE ...]
`;
    expect(read(text, 'prog')).toEqual([
      'before: --verbose, --level string low|mid|high ("mid"), --tag string..., --pair string...x2, --rest string, --more string',
      'init [args]...',
      'co [args]...',
    ]);
  });

  test('click: choices in brackets, pairs of switches, what is required', () => {
    const text = `Usage: cli [OPTIONS] NAME [FILES]...

  Greets a NAME.

Options:
  -c, --count INTEGER             Number of greetings.  [default: 1]
  --method [fast|slow]            How.  [default: fast; required]
  --shout / --no-shout            Loud.
  -t, --tag TEXT                  Tags.  [required]
  --range INTEGER RANGE           [x>=0]
  --pos <FLOAT FLOAT>...          Position.
  --version                       Show the version and exit.
  --help                          Show this message and exit.
`;
    expect(read(text, 'cli')).toEqual([
      'run <name> [files]... { --count number (1), --method string fast|slow !, --shout, --no-shout, --tag string !, --range number, --pos number...x2 }',
    ]);
  });

  test('commander: optional and variadic values, aliases', () => {
    const text = `Usage: pizza [options] [command] <source> [destination]

An application for pizzas

Options:
  -V, --version                output the version number
  -p, --peppers                Add peppers
  -c, --cheese [type]          Add the cheese (default: "marble")
  -n, --numbers <numbers...>   numbers
  --no-sauce                   Remove sauce
  -d, --drink <size>           drink size (choices: "small", "medium", "large")
  -h, --help                   display help for command

Commands:
  clone [options] <source> [destination]  clone a repository
  start|s <service>            start named service
  help [command]               display help for command
`;
    expect(read(text, 'pizza')).toEqual([
      'before: --peppers, --cheese string ("marble"), --numbers string..., --no-sauce, --drink string small|medium|large',
      'clone <source> [destination]',
      'start <service>',
    ]);
  });

  test('yargs: types behind the text, forms without the word usage', () => {
    const text = `app.js <cmd> [args]

Commands:
  app.js serve [port]          start the server
  app.js config set <key> <v>  set it
  app.js completion            generate completion script

Options:
      --version  Show version number                                   [boolean]
  -p, --port     Port to bind on                    [number] [default: 5000]
  -f, --file     files                              [array] [required]
      --mode     mode          [string] [choices: "dev", "prod"] [default: "dev"]
      --quiet                                                     [boolean]
      --help     Show help                                             [boolean]
`;
    expect(read(text, 'app')).toEqual([
      'anywhere: --port number (5000), --file string... !, --mode string dev|prod ("dev"), --quiet',
      'serve [port-arg]',
      'config set <key> <v>',
    ]);
  });

  test('docopt: commands and their arguments from the forms alone', () => {
    const text = `Naval Fate.

Usage:
  naval_fate ship new <name>...
  naval_fate ship <name> move <x> <y> [--speed=<kn>]
  naval_fate ship shoot <x> <y>
  naval_fate mine (set|remove) <x> <y> [--moored | --drifting]
  naval_fate (-h | --help)
  naval_fate --version

Options:
  -h --help     Show this screen.
  --version     Show version.
  --speed=<kn>  Speed in knots [default: 10].
  --moored      Moored (anchored) mine.
  --drifting    Drifting mine.
`;
    expect(read(text, 'naval_fate')).toEqual([
      'anywhere: --speed=string ("10"), --moored, --drifting',
      'ship new <name>...',
      'ship <name> [args]...',
      'ship shoot <x> <y>',
      'mine set <x> <y>',
      'mine remove <x> <y>',
    ]);
  });

  test("Go's flags: one dash means two", () => {
    const text = `Usage of /tmp/prog:
  -addr string
    \tlisten address (default ":8080")
  -n int
    \thow many (default 5)
  -v\tverbose
  -timeout duration
    \thow long (default 30s)
`;
    expect(read(text, 'prog')).toEqual([
      'run [args]... { --addr string (":8080"), --n number (5), --v, --timeout string ("30s") }',
    ]);
  });

  test('BSD: unmarked words are arguments, several forms take more', () => {
    const text = `usage: cp [-R [-H | -L | -P]] [-f | -i | -n] [-alNpSsvXx] source_file target_file
       cp [-R [-H | -L | -P]] [-f | -i | -n] [-alNpSsvXx] source_file ... target_directory
`;
    expect(read(text, 'cp')).toEqual(['run <source-file> <target-file> [args]...']);
  });

  test('BSD: long options in the form alone', () => {
    const text = `usage: ls [-@ABCFGHILOPRSTUWXabcdefghiklmnopqrstuvwxy1%,] [--color=when] [-D format] [file ...]
`;
    expect(read(text, 'ls')).toEqual(['run [file]... { --color=string }']);
  });

  test('clap: repeated switches and values, optional values', () => {
    const text = `A tool.

Usage: tool [OPTIONS] <COMMAND>

Commands:
  add     Adds files
  remote  Manage remotes
  help    Print this message or the help of the given subcommand(s)

Options:
  -v, --verbose...             Be verbose
  -c, --config <FILE>          Config
      --color <WHEN>           Colour [default: auto] [possible values: auto, always, never]
  -g, --glob <GLOB>...         Globs
      --format[=<FMT>]         Format
      --json                   Print JSON
  -h, --help                   Print help
  -V, --version                Print version
`;
    expect(read(text, 'tool')).toEqual([
      'before: --verbose..., --config path, --color string auto|always|never ("auto"), --glob string..., --format=string?, --json',
      'add [args]...',
      'remote [args]...',
    ]);
  });

  test('clap, long: values and defaults in paragraphs of their own', () => {
    const text = `A tool.

Usage: tool [OPTIONS] [PATH]...

Arguments:
  [PATH]...
          Files to look at

Options:
      --color <WHEN>
          Controls colours

          Possible values:
          - auto:   by terminal
          - always: on
          - never:  off

          [default: auto]

  -j, --jobs <N>
          How many

  -h, --help
          Print help (see a summary with '-h')
`;
    expect(read(text, 'tool')).toEqual(['run [path]... { --color string auto|always|never ("auto"), --jobs number }']);
  });

  test('GNU: values joined by an equals sign', () => {
    const text = `Usage: cp [OPTION]... [-T] SOURCE DEST
  or:  cp [OPTION]... SOURCE... DIRECTORY
  or:  cp [OPTION]... -t DIRECTORY SOURCE...
Copy SOURCE to DEST, or multiple SOURCE(s) to DIRECTORY.

Mandatory arguments to long options are mandatory for short options too.
  -a, --archive                same as -dR --preserve=all
      --backup[=CONTROL]       make a backup of each existing destination file
  -f, --force                  if an existing destination file cannot be
                                 opened, remove it and try again
  -S, --suffix=SUFFIX          override the usual backup suffix
      --sparse=WHEN            control creation of sparse files. See below
`;
    expect(read(text, 'cp')).toEqual([
      'run <source> <dest> [args]... { --archive, --backup=string?, --force, --suffix=string, --sparse=string }',
    ]);
  });
});
