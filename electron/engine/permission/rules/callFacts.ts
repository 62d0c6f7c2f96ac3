import type { Intent, Target } from '../../../../shared/model/intent.ts';
import { visible } from '../../../../shared/text/visible.ts';
import { isMetadataHost } from '../../base/metadataHost.ts';
import { type Command, commandOfArgv, literalWord, type ParsedLine } from '../../shell/parse/line.ts';
import { parseLine } from '../../shell/parse/parseLine.ts';
import { type PlacedLine, placed } from '../../shell/placedLine.ts';
import { programOf } from '../../shell/programs/programs.ts';
import { wholeTree } from '../../shell/programs/sweeps.ts';
import { isReadOnlyCommand, mayEvaluate, runsGit } from '../../shell/readOnly.ts';
import { isUnknown, pathTexts } from '../../shell/values.ts';
import { writeTargets } from '../../shell/writeTargets.ts';
import { findDanger } from '../danger/danger.ts';
import { otherTrees } from '../danger/otherTrees.ts';
import { patchedFiles } from '../danger/patchedFiles.ts';
import type { ProtectedPath } from '../danger/protectedTargets.ts';
import { namedIn } from './namedIn.ts';
import { outsidePaths, writtenPaths } from './placedPaths.ts';
import { pathsMeant, projectPath, protectionFrom, type RuleContext } from './ruleContext.ts';
import type { RuleTarget } from './ruleTarget.ts';

/** What evaluation looks at, worked out once. */
export interface Facts {
  /** What an allow rule must cover. */
  readonly needed: readonly RuleTarget[];
  /** What a deny or ask rule may hit: wrapped commands, and every path and host that is named anywhere, too. */
  readonly reachable: readonly RuleTarget[];
  readonly red: readonly string[];
  /** Why it is always asked without being red: P12 and C3. */
  readonly always: readonly string[];
  /** Why no level passes it, though a rule may. */
  readonly beyond: readonly string[];
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
  const beyond: string[] = [];
  const uncoverable: string[] = [];
  let renames = false;
  const both = (target: RuleTarget) => {
    needed.push(target);
    reachable.push(target);
  };
  const writes = new Set<string>();
  for (const target of intent.targets) {
    if (target.kind === 'path') {
      for (const path of pathsMeant(target.path, context.project, context)) both({ kind: 'path', path });
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
      beyond.push(...command.beyond);
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
        for (const meant of pathsMeant(path, context.project, context)) both({ kind: 'path', path: meant });
      }
      if (change.protectedBy !== undefined) always.push(`changes ${change.path}: ${change.protectedBy}`);
    }
  }
  const protection = protectionFrom(context.project, context);
  for (const path of writes) {
    const reason = protection(projectPath(path, context.project, context.project));
    if (reason && !always.some((why) => why.startsWith(`changes ${path}:`))) always.push(`changes ${path}: ${reason}`);
  }
  for (const target of reachable)
    if (target.kind === 'host' && isMetadataHost(target.host))
      always.push(`asks ${target.host}, where clouds tell a machine its secrets`);
  return { needed, reachable, red, always, beyond, uncoverable, renames };
}

function commandFacts(
  { command, argv, cwd }: Target & { readonly kind: 'command' },
  environment: Readonly<Record<string, string>>,
  context: RuleContext,
): Facts {
  const read: ParsedLine = argv
    ? { commands: [commandOfArgv(argv)], functions: [], loops: [], ambiguous: [] }
    : parseLine(command, { platform: context.platform });
  // What the call adds to the environment stands in front of every command, and a rule must name it.
  const added = Object.entries(environment).map(([name, value]) => ({
    name,
    append: false,
    value: literalWord(value),
  }));
  const parsed =
    added.length === 0 ? read : { ...read, commands: read.commands.map((command) => withAssignments(command, added)) };
  const line = placed(parsed, { cwd, home: context.home, environment });
  const protection = protectionFrom(cwd, context);
  const { red, always, beyond } = findDanger(line, protection);
  const trees = treeFacts(line, protection, context);
  const needed = parsed.commands.flatMap((command): readonly RuleTarget[] => [
    ...(command.kind === 'redirects' || command.words.length + command.assignments.length === 0
      ? []
      : [{ kind: 'command' as const, command, folders: foldersFor(command, line, context) }]),
    ...writtenPaths(
      command.redirects.filter(({ write }) => write).map(({ word }) => word),
      command,
      line,
      context,
    ),
    ...outsidePaths(command, line, context),
  ]);
  const scripts = scriptFacts(line, context);
  return {
    needed,
    reachable: [...reachableIn(line, context), ...scripts.reachable, ...trees.reachable],
    red: [...red, ...scripts.red],
    always: [...unclear(parsed), ...always, ...scripts.always, ...trees.always],
    beyond: [...beyond, ...scripts.beyond],
    uncoverable: [...whyUncoverable(parsed, line.commands, command), ...unknownTargets(line)],
    renames: line.commands.some(changesNames),
  };
}

/** Files of another tree or of a patch are writes that only these name: protected ones are asked, denied ones forbidden (C14). */
function treeFacts(
  line: PlacedLine,
  protection: ProtectedPath,
  context: RuleContext,
): Pick<Facts, 'reachable' | 'always'> {
  const found = [
    ...(context.treeFiles ? [otherTrees(line, context.treeFiles)] : []),
    ...(context.patches ? [patchedFiles(line, context.patches)] : []),
  ];
  const named = found.flatMap(({ paths }) => paths).map((path) => projectPath(path, '/', context.project));
  const guarded = named.flatMap((path) => {
    const reason = protection(path);
    return reason === undefined ? [] : [`brings another ${path}: ${reason}`];
  });
  return {
    reachable: named.map((path) => ({ kind: 'path', path })),
    always: [...found.flatMap(({ always }) => always), ...guarded.slice(0, 5)],
  };
}

/** What a command obeys lies in its folder (`package.json`, `Makefile`, `.git`), so a rule must mean that folder (C10). */
function foldersFor(
  command: Command,
  { entered }: PlacedLine,
  { project, isEmbedded }: RuleContext,
): readonly string[] {
  const onlyWords = { ...command, assignments: [], redirects: [], places: [] };
  const obeysOther = runsGit(command) && entered.some((folder) => isEmbedded?.(folder));
  return isReadOnlyCommand(onlyWords) && !obeysOther ? [] : entered.map((folder) => projectPath('.', folder, project));
}

function reachableIn(line: PlacedLine, context: RuleContext): readonly RuleTarget[] {
  return line.commands.flatMap((command): readonly RuleTarget[] => [
    { kind: 'command', command },
    ...sweptBy(command, line, context),
    ...namedIn(command, writeTargets(command), line, context),
  ]);
}

/** Options of many programs behind which a file stands that names what is read. */
const namesFromFile = /^--(?:files0?-from|pathspec-from-file)(?:=|$)/;

/** Folders that are read as a whole, for rules that forbid. */
function sweptBy(command: Command, { folders }: PlacedLine, { project }: RuleContext): readonly RuleTarget[] {
  const places = [
    ...(programOf(command.argv[0] ?? '').sweeps?.(command.argv) ?? []),
    ...(command.argv.some((word) => namesFromFile.test(word)) ? [wholeTree] : []),
  ];
  return places.flatMap((place) =>
    folders.map((folder) => ({
      kind: 'path' as const,
      path: place === wholeTree ? '.' : projectPath(place, folder, project),
      command,
      isWhole: true as const,
    })),
  );
}

const maxScripts = 20;

/** The scripts of a package that this command runs, with those before and after it: their text is a line for the shell. */
function scriptNames({ argv }: Command): readonly string[] {
  const name = programOf(argv[0] ?? '').script?.(argv);
  return name === undefined ? [] : [`pre${name}`, name, `post${name}`];
}

/** What the scripts of the project that a line runs would do, one level deep: a script is a line of its own. */
function scriptFacts(
  { commands, folders, around }: PlacedLine,
  context: RuleContext,
): Pick<Facts, 'reachable' | 'red' | 'always' | 'beyond'> {
  const reachable: RuleTarget[] = [];
  const red: string[] = [];
  const always: string[] = [];
  const beyond: string[] = [];
  const names = context.packageScript ? [...new Set(commands.flatMap(scriptNames))].slice(0, maxScripts) : [];
  for (const folder of names.length > 0 ? folders.slice(0, maxScripts) : []) {
    for (const name of names) {
      const text = context.packageScript?.(folder, name);
      if (text === undefined) continue;
      const line = placed(parseLine(text), { home: around.home, cwd: folder });
      const danger = findDanger(line, protectionFrom(folder, context));
      red.push(...danger.red.map((why) => `the script "${name}" ${why}`));
      always.push(...danger.always.map((why) => `the script "${name}" ${why}`));
      beyond.push(...danger.beyond.map((why) => `the script "${name}" ${why}`));
      reachable.push(...reachableIn(line, context));
    }
  }
  return { reachable, red, always, beyond };
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
function unknownTargets({ commands, around }: PlacedLine): readonly string[] {
  return commands.flatMap((command) => {
    const unknown = writeTargets(command).find((word) => pathTexts(word, around).some(isUnknown));
    return unknown ? [`it writes ${unknown.value}, and which file that is shows only when it runs`] : [];
  });
}
