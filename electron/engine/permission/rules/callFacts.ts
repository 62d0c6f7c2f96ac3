import type { Intent, Target } from '../../../../shared/model/intent.ts';
import { visible } from '../../../../shared/text/visible.ts';
import { type Command, commandOfArgv, literalWord, type ParsedLine } from '../../shell/parse/line.ts';
import { parseLine } from '../../shell/parse/parseLine.ts';
import { foldersOf, type Surroundings } from '../../shell/places.ts';
import { programOf } from '../../shell/programs/programs.ts';
import { mayEvaluate } from '../../shell/readOnly.ts';
import { deepCommands } from '../../shell/unwrap.ts';
import { isUnknown, pathTexts, valuesOf } from '../../shell/values.ts';
import { writeTargets } from '../../shell/writeTargets.ts';
import { findDanger, type ProtectedPath } from '../danger/danger.ts';
import { namedIn, projectPath } from './namedIn.ts';
import type { RuleTarget } from './ruleTarget.ts';

/** The text of a script that the project's package names; provided by the project's room. */
export type PackageScript = (folder: string, name: string) => string | undefined;

/** Where the project stands, and what the engine provides. */
export interface RuleContext {
  /** Real path of the project folder. */
  readonly project: string;
  readonly home?: string;
  readonly platform?: NodeJS.Platform;
  readonly protectedPath: ProtectedPath;
  /** Without it, what `npm run` and its like run is not looked into. */
  readonly packageScript?: PackageScript;
}

/** What evaluation looks at, worked out once. */
export interface Facts {
  /** What an allow rule must cover. */
  readonly needed: readonly RuleTarget[];
  /** What a deny or ask rule may hit: wrapped commands, and every path and host that is named anywhere, too. */
  readonly reachable: readonly RuleTarget[];
  readonly red: readonly string[];
  /** Why it is always asked without being red: P12 and C3. */
  readonly always: readonly string[];
  /** Why no command rule covers it, although it is not always asked. */
  readonly uncoverable: readonly string[];
  /** It changes what names mean, so that any command may be another one. */
  readonly renames: boolean;
}

export function factsOf(intent: Intent, context: RuleContext): Facts {
  const needed: RuleTarget[] = [];
  const reachable: RuleTarget[] = [];
  const red: string[] = [];
  const always: string[] = [];
  const uncoverable: string[] = [];
  let renames = false;
  const both = (target: RuleTarget) => {
    needed.push(target);
    reachable.push(target);
  };
  const writes = new Set<string>();
  for (const target of intent.targets) {
    if (target.kind === 'path') {
      both({ kind: 'path', path: projectPath(target.path, context.project, context.project) });
      if (target.access === 'write') writes.add(target.path);
    } else if (target.kind === 'host' || target.kind === 'other') both(target);
    else {
      const { preview } = intent;
      const environment = preview.kind === 'command' ? (preview.env ?? {}) : {};
      const command = commandFacts(target, environment, context);
      needed.push(...command.needed);
      reachable.push(...command.reachable);
      red.push(...command.red);
      always.push(...command.always);
      uncoverable.push(...command.uncoverable);
      renames ||= command.renames;
    }
  }
  // A tool may forget to name a changed file as a target; what is shown counts as well.
  if (intent.preview.kind === 'changes') {
    for (const change of intent.preview.changes) {
      for (const path of [change.path, change.oldPath]) {
        if (path === undefined || writes.has(path)) continue;
        writes.add(path);
        both({ kind: 'path', path: projectPath(path, context.project, context.project) });
      }
      if (change.protectedBy !== undefined) always.push(`changes ${change.path}: ${change.protectedBy}`);
    }
  }
  for (const path of writes) {
    const reason = context.protectedPath(projectPath(path, context.project, context.project));
    if (reason && !always.some((why) => why.startsWith(`changes ${path}:`))) always.push(`changes ${path}: ${reason}`);
  }
  return { needed, reachable, red, always, uncoverable, renames };
}

function commandFacts(
  { command, argv, cwd }: Target & { readonly kind: 'command' },
  environment: Readonly<Record<string, string>>,
  context: RuleContext,
): Facts {
  const read: ParsedLine = argv
    ? { commands: [commandOfArgv(argv)], functions: [], loops: [], ambiguous: [] }
    : parseLine(command, context.platform === undefined ? {} : { platform: context.platform });
  // What the call adds to the environment stands in front of every command, and a rule must name it.
  const added = Object.entries(environment).map(([name, value]) => ({
    name,
    append: false,
    value: literalWord(value),
  }));
  const parsed =
    added.length === 0 ? read : { ...read, commands: read.commands.map((command) => withAssignments(command, added)) };
  const place = { cwd, ...(context.home === undefined ? {} : { home: context.home }) };
  const { red, always } = findDanger(parsed, { ...place, environment }, context.protectedPath);
  const { commands: deep, loops } = deepCommands(parsed);
  const around = { ...place, values: valuesOf(deep, loops, { environment, functions: parsed.functions }) };
  const { folders } = foldersOf(deep, around);
  const paths = (command: Command, write: readonly Command['words'][number][]): readonly RuleTarget[] =>
    write
      .filter(({ value }) => value !== '/dev/null')
      .flatMap((word): readonly RuleTarget[] => {
        const texts = pathTexts(word, around);
        if (texts.some(isUnknown) || word.pieces.some(({ kind }) => kind === 'glob' || kind === 'brace')) {
          return [{ kind: 'path', path: null, command }];
        }
        return texts.flatMap((text) =>
          folders.map((folder) => ({
            kind: 'path' as const,
            path: projectPath(text, folder, context.project),
            command,
          })),
        );
      });
  const needed = parsed.commands.flatMap((command): readonly RuleTarget[] => [
    ...(command.kind === 'redirects' || command.words.length + command.assignments.length === 0
      ? []
      : [{ kind: 'command' as const, command }]),
    ...paths(
      command,
      command.redirects.filter(({ write }) => write).map(({ word }) => word),
    ),
  ]);
  const reachable = deep.flatMap((command): readonly RuleTarget[] => [
    { kind: 'command', command },
    ...namedIn(command, writeTargets(command), { folders, around, project: context.project }),
  ]);
  const scripts = scriptFacts(deep, folders, around, context);
  return {
    needed,
    reachable: [...reachable, ...scripts.reachable],
    red: [...red, ...scripts.red],
    always: [...unclear(parsed), ...always, ...scripts.always],
    uncoverable: [...whyUncoverable(parsed, deep, command), ...unknownTargets(deep, around)],
    renames: deep.some(changesNames),
  };
}

const maxScripts = 20;

/** The scripts of a package that this command runs, with those before and after it: their text is a line for the shell. */
function scriptNames({ argv }: Command): readonly string[] {
  const name = programOf(argv[0] ?? '').script?.(argv);
  return name === undefined ? [] : [`pre${name}`, name, `post${name}`];
}

/** What the scripts of the project that a line runs would do, one level deep: a script is a line of its own. */
function scriptFacts(
  deep: readonly Command[],
  folders: readonly string[],
  around: Surroundings,
  { packageScript, protectedPath, project }: RuleContext,
): Pick<Facts, 'reachable' | 'red' | 'always'> {
  const reachable: RuleTarget[] = [];
  const red: string[] = [];
  const always: string[] = [];
  if (!packageScript) return { reachable, red, always };
  const names = [...new Set(deep.flatMap(scriptNames))].slice(0, maxScripts);
  for (const folder of folders.slice(0, maxScripts)) {
    for (const name of names) {
      const text = packageScript(folder, name);
      if (text === undefined) continue;
      const parsed = parseLine(text);
      const danger = findDanger(parsed, { ...around, cwd: folder }, protectedPath);
      red.push(...danger.red.map((why) => `the script "${name}" ${why}`));
      always.push(...danger.always.map((why) => `the script "${name}" ${why}`));
      for (const command of deepCommands(parsed).commands) {
        reachable.push({ kind: 'command', command });
        reachable.push(...namedIn(command, writeTargets(command), { folders: [folder], around, project }));
      }
    }
  }
  return { reachable, red, always };
}

/** C3: what cannot be read with certainty is always asked. */
function unclear({ unparsable }: ParsedLine): readonly string[] {
  return unparsable === undefined ? [] : [`the command cannot be read with certainty: ${unparsable}`];
}

function whyUncoverable(parsed: ParsedLine, deep: readonly Command[], text: string): readonly string[] {
  const why = [...parsed.ambiguous];
  if (parsed.functions.length > 0) why.push(`it defines the function ${parsed.functions[0]}`);
  if (deep.some(changesNames)) why.push('it changes what names mean');
  if (mayEvaluate(text)) why.push('an expansion in it can set variables or run commands');
  const goes = deep.find(
    ({ argv, dynamic }) => /^(?:cd|pushd|popd|chdir)$/.test(argv[0] ?? '') && (dynamic || argv[0] === 'popd'),
  );
  if (goes) why.push('it changes to a folder that is only known when it runs');
  const { flags } = visible(text);
  if (flags.some((flag) => flag !== 'padding')) why.push('it contains characters that are not visible');
  return why;
}

/** `alias g=git`, `hash -p /usr/bin/git g`; `alias` alone only lists. */
function changesNames({ argv }: Command): boolean {
  const [name, ...rest] = argv;
  if (name === 'alias') return rest.some((word) => word.includes('='));
  return name === 'enable' || (name === 'hash' && rest.some((word) => /^-[a-z]*p/.test(word)));
}

function withAssignments(command: Command, added: Command['assignments']): Command {
  return command.kind === 'command' && command.words.length > 0
    ? { ...command, assignments: [...added, ...command.assignments] }
    : command;
}

/** A rule for `cp` says nothing of a file that nobody can name before it runs (P12). */
function unknownTargets(deep: readonly Command[], around: Surroundings): readonly string[] {
  return deep.flatMap((command) => {
    const unknown = writeTargets(command).find((word) => pathTexts(word, around).some(isUnknown));
    return unknown ? [`it writes ${unknown.value}, and which file that is shows only when it runs`] : [];
  });
}
