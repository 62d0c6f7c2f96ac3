import type { Intent, Target } from '../../../../shared/model/intent.ts';
import { visible } from '../../../../shared/text/visible.ts';
import { parseCommand } from '../commandParts/parseCommand.ts';
import { type CommandPart, literalWord, type ParsedCommand, partOfArgv } from '../commandParts/types.ts';
import { deepParts } from '../commandParts/unwrap.ts';
import { findDanger, type ProtectedPath } from '../danger/danger.ts';
import { foldersOf, type Surroundings } from '../danger/places.ts';
import { isUnknown, pathTexts, valuesOf } from '../danger/values.ts';
import { writeTargets } from '../danger/writeTargets.ts';
import { mayEvaluate } from '../readOnly/expansions.ts';
import { namedIn, projectPath } from './namedIn.ts';
import { type PackageScript, scriptNames } from './scriptNames.ts';
import type { Unit } from './unit.ts';

/** Where the project stands, and what the engine lends. */
export interface Ground {
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
  readonly needed: readonly Unit[];
  /** What a deny or ask rule may hit: wrapped commands, and every path and host that is named anywhere, too. */
  readonly reachable: readonly Unit[];
  readonly red: readonly string[];
  /** Why it is always asked without being red: P12 and C3. */
  readonly always: readonly string[];
  /** Why no command rule covers it, although it is not always asked. */
  readonly uncoverable: readonly string[];
  /** It changes what names mean, so that any command may be another one. */
  readonly renames: boolean;
}

export function factsOf(intent: Intent, ground: Ground): Facts {
  const needed: Unit[] = [];
  const reachable: Unit[] = [];
  const red: string[] = [];
  const always: string[] = [];
  const uncoverable: string[] = [];
  let renames = false;
  const both = (unit: Unit) => {
    needed.push(unit);
    reachable.push(unit);
  };
  const writes = new Set<string>();
  for (const target of intent.targets) {
    if (target.kind === 'path') {
      both({ kind: 'path', path: projectPath(target.path, ground.project, ground.project) });
      if (target.access === 'write') writes.add(target.path);
    } else if (target.kind === 'host' || target.kind === 'other') both(target);
    else {
      const { preview } = intent;
      const environment = preview.kind === 'command' ? (preview.env ?? {}) : {};
      const command = commandFacts(target, environment, ground);
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
        both({ kind: 'path', path: projectPath(path, ground.project, ground.project) });
      }
      if (change.protectedBy !== undefined) always.push(`changes ${change.path}: ${change.protectedBy}`);
    }
  }
  for (const path of writes) {
    const reason = ground.protectedPath(projectPath(path, ground.project, ground.project));
    if (reason && !always.some((why) => why.startsWith(`changes ${path}:`))) always.push(`changes ${path}: ${reason}`);
  }
  return { needed, reachable, red, always, uncoverable, renames };
}

function commandFacts(
  { command, argv, cwd }: Target & { readonly kind: 'command' },
  environment: Readonly<Record<string, string>>,
  ground: Ground,
): Facts {
  const read: ParsedCommand = argv
    ? { parts: [partOfArgv(argv)], functions: [], loops: [], ambiguous: [] }
    : parseCommand(command, ground.platform === undefined ? {} : { platform: ground.platform });
  // What the call adds to the environment stands in front of every part, and a rule must name it.
  const added = Object.entries(environment).map(([name, value]) => ({
    name,
    append: false,
    value: literalWord(value),
  }));
  const parsed = added.length === 0 ? read : { ...read, parts: read.parts.map((part) => withAssignments(part, added)) };
  const place = { cwd, ...(ground.home === undefined ? {} : { home: ground.home }) };
  const { red, always } = findDanger(parsed, { ...place, environment }, ground.protectedPath);
  const { parts: deep, loops } = deepParts(parsed);
  const around = { ...place, values: valuesOf(deep, loops, { environment, functions: parsed.functions }) };
  const { folders } = foldersOf(deep, around);
  const paths = (part: CommandPart, write: readonly CommandPart['words'][number][]): readonly Unit[] =>
    write
      .filter(({ value }) => value !== '/dev/null')
      .flatMap((word): readonly Unit[] => {
        const texts = pathTexts(word, around);
        if (texts.some(isUnknown) || word.pieces.some(({ kind }) => kind === 'glob' || kind === 'brace')) {
          return [{ kind: 'path', path: null, part }];
        }
        return texts.flatMap((text) =>
          folders.map((folder) => ({ kind: 'path' as const, path: projectPath(text, folder, ground.project), part })),
        );
      });
  const needed = parsed.parts.flatMap((part): readonly Unit[] => [
    ...(part.kind === 'redirects' || part.words.length + part.assignments.length === 0
      ? []
      : [{ kind: 'command' as const, part }]),
    ...paths(
      part,
      part.redirects.filter(({ write }) => write).map(({ word }) => word),
    ),
  ]);
  const reachable = deep.flatMap((part): readonly Unit[] => [
    { kind: 'command', part },
    ...namedIn(part, writeTargets(part), { folders, around, project: ground.project }),
  ]);
  const scripts = scriptFacts(deep, folders, around, ground);
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

/** What the scripts of the project that a line runs would do, one level deep: a script is a line of its own. */
function scriptFacts(
  deep: readonly CommandPart[],
  folders: readonly string[],
  around: Surroundings,
  { packageScript, protectedPath, project }: Ground,
): Pick<Facts, 'reachable' | 'red' | 'always'> {
  const reachable: Unit[] = [];
  const red: string[] = [];
  const always: string[] = [];
  if (!packageScript) return { reachable, red, always };
  const names = [...new Set(deep.flatMap(scriptNames))].slice(0, maxScripts);
  for (const folder of folders.slice(0, maxScripts)) {
    for (const name of names) {
      const text = packageScript(folder, name);
      if (text === undefined) continue;
      const parsed = parseCommand(text);
      const danger = findDanger(parsed, { ...around, cwd: folder }, protectedPath);
      red.push(...danger.red.map((why) => `the script "${name}" ${why}`));
      always.push(...danger.always.map((why) => `the script "${name}" ${why}`));
      for (const part of deepParts(parsed).parts) {
        reachable.push({ kind: 'command', part });
        reachable.push(...namedIn(part, writeTargets(part), { folders: [folder], around, project }));
      }
    }
  }
  return { reachable, red, always };
}

/** C3: what cannot be read with certainty is always asked. */
function unclear({ unparsable }: ParsedCommand): readonly string[] {
  return unparsable === undefined ? [] : [`the command cannot be read with certainty: ${unparsable}`];
}

function whyUncoverable(parsed: ParsedCommand, deep: readonly CommandPart[], text: string): readonly string[] {
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
function changesNames({ argv }: CommandPart): boolean {
  const [name, ...rest] = argv;
  if (name === 'alias') return rest.some((word) => word.includes('='));
  return name === 'enable' || (name === 'hash' && rest.some((word) => /^-[a-z]*p/.test(word)));
}

function withAssignments(part: CommandPart, added: CommandPart['assignments']): CommandPart {
  return part.kind === 'command' && part.words.length > 0
    ? { ...part, assignments: [...added, ...part.assignments] }
    : part;
}

/** A rule for `cp` says nothing of a file that nobody can name before it runs (P12). */
function unknownTargets(deep: readonly CommandPart[], around: Surroundings): readonly string[] {
  return deep.flatMap((part) => {
    const unknown = writeTargets(part).find((word) => pathTexts(word, around).some(isUnknown));
    return unknown ? [`it writes ${unknown.value}, and which file that is shows only when it runs`] : [];
  });
}
