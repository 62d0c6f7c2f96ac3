import { compileSegments, matchSegments } from './glob.ts';

/** What the rules in force in one folder say about the names in it. */
export interface IgnoreScope {
  ignores(name: string, isDirectory: boolean): boolean;
  /** The scope of a folder in it, with the text of that folder's own rule files (later files win). */
  enter(name: string, ruleFiles: readonly string[]): IgnoreScope;
}

/** Files whose rules are read in each folder, weakest first. */
export const ruleFileNames = ['.gitignore', '.floydignore', '.viseignore'] as const;

/** Never shown, whatever a rule says. */
const always = new Set(['.git', '.vise']);

export function isAlwaysHidden(name: string): boolean {
  return always.has(name.toLowerCase());
}

/** Where git keeps the rules of one clone; weaker than those of any .gitignore. */
export const excludeFile = '.git/info/exclude';

/** Folders of dependencies: ignored, whatever git says of them, unless a rule of the project takes one back (`!venv/`). */
export const dependencyFolders = ['node_modules', 'bower_components', 'venv', '.venv', '__pycache__'];

/** A rule file longer than this, or with more rules, is cut there: no project needs more, and walks stay bounded (J5). */
const maxRuleCharacters = 1024 * 1024;
const maxRules = 20_000;

interface Rule {
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  /** Matched against the path below the folder of the rule file; otherwise against the name alone. */
  readonly anchored: boolean;
  readonly segments: ReturnType<typeof compileSegments>;
}

interface Level {
  readonly rules: readonly Rule[];
  /** Names between the folder of the rules and the folder of the scope. */
  readonly below: readonly string[];
}

/** Of the root: the texts of its rule files, weakest first. */
export function createIgnoreScope(ruleFiles: readonly string[]): IgnoreScope {
  return scopeOf([
    { rules: dependencyFolders.flatMap((name) => parseRules(name)), below: [] },
    { rules: ruleFiles.flatMap(parseRules), below: [] },
  ]);
}

/** A scope that hides only what is never shown. */
export const nothingIgnored: IgnoreScope = {
  ignores: isAlwaysHidden,
  enter: () => nothingIgnored,
};

function scopeOf(levels: readonly Level[]): IgnoreScope {
  const used = levels.filter(({ rules }) => rules.length > 0);
  return {
    ignores: (name, isDirectory) => {
      if (isAlwaysHidden(name)) return true;
      for (let index = used.length - 1; index >= 0; index -= 1) {
        const level = used[index];
        if (!level) continue;
        const path = [...level.below, name];
        const last = level.rules.findLast(
          (rule) =>
            (isDirectory || !rule.directoriesOnly) && matchSegments(rule.segments, rule.anchored ? path : [name]),
        );
        if (last) return !last.negated;
      }
      return false;
    },
    enter: (name, ruleFiles) =>
      scopeOf([
        ...used.map(({ rules, below }) => ({ rules, below: [...below, name] })),
        { rules: ruleFiles.flatMap(parseRules), below: [] },
      ]),
  };
}

/** The pattern format of gitignore(5). */
function parseRules(text: string): readonly Rule[] {
  const rules: Rule[] = [];
  for (const raw of text.slice(0, maxRuleCharacters).split('\n')) {
    if (rules.length >= maxRules) break;
    const rule = parseRule(raw.replace(/^\ufeff/, '').replace(/\r$/, ''));
    if (rule) rules.push(rule);
  }
  return rules;
}

function parseRule(line: string): Rule | undefined {
  if (line.startsWith('#')) return undefined;
  let pattern = trimEndUnescaped(line);
  const negated = pattern.startsWith('!');
  if (negated) pattern = pattern.slice(1);
  const directoriesOnly = pattern.endsWith('/');
  if (directoriesOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return undefined;
  const anchored = pattern.includes('/');
  return { negated, directoriesOnly, anchored, segments: compileSegments(pattern.replace(/^\//, '')) };
}

/** Spaces at the end do not count unless a backslash stands before them. */
function trimEndUnescaped(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
