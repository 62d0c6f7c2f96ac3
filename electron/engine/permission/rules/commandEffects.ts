import type { CommandEffects } from '../../../../shared/model/call.ts';
import type { Intent } from '../../../../shared/model/intent.ts';
import { type Command, commandOfArgv, type Word } from '../../shell/parse/line.ts';
import { parseLine } from '../../shell/parse/parseLine.ts';
import { type PlacedLine, placed } from '../../shell/placedLine.ts';
import { programName } from '../../shell/programs/program.ts';
import { isUnknown, pathTexts } from '../../shell/values.ts';
import { writeTargets } from '../../shell/writeTargets.ts';
import { namedIn } from './namedIn.ts';
import { pathsMeant, type RuleContext } from './ruleContext.ts';

/** A card shows no more of each kind; the command itself stands above. */
const mostShown = 12;

const deleters: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'shred', 'trash', 'trash-put', 'del', 'rd']);
const fetchers: ReadonlySet<string> = new Set(['curl', 'wget', 'aria2c', 'fetch', 'scp', 'rsync', 'sftp']);
/** Programs that fetch by one of these verbs. */
const installers: Readonly<Record<string, RegExp>> = {
  git: /^(?:clone|fetch|pull|submodule)$/,
  npm: /^(?:install|i|ci|add|update|exec|x)$/,
  pnpm: /^(?:install|i|add|update|dlx)$/,
  yarn: /^(?:install|add|up|upgrade|dlx)$/,
  bun: /^(?:install|i|add|update|x)$/,
  pip: /^(?:install|download)$/,
  pip3: /^(?:install|download)$/,
  uv: /^(?:add|sync|pip)$/,
  cargo: /^(?:install|add|fetch|update)$/,
  go: /^(?:get|install|mod)$/,
  gem: /^install$/,
  bundle: /^(?:install|update)$/,
  composer: /^(?:install|require|update)$/,
  docker: /^(?:pull|run)$/,
  apt: /^(?:install|upgrade)$/,
  'apt-get': /^(?:install|upgrade)$/,
  brew: /^(?:install|upgrade)$/,
};

/** What a command would do beside running, as its card names it: told from its words, for a person to read, and no limit. */
export function effectsOf(intent: Intent, context: RuleContext): CommandEffects {
  const deletes = new Set<string>();
  const writes = new Set<string>();
  const hosts = new Set<string>();
  const downloads = new Set<string>();
  for (const target of intent.targets) {
    if (target.kind !== 'command') continue;
    const parsed = target.argv
      ? { commands: [commandOfArgv(target.argv)], functions: [], loops: [], ambiguous: [] }
      : parseLine(target.command, { platform: context.platform });
    const line = placed(parsed, { cwd: target.cwd, home: context.home, environment: {} });
    for (const command of line.commands) {
      const isDeletion = deletesFiles(command);
      for (const path of writeTargets(command).flatMap((word) => pathsOf(word, line, context)))
        (isDeletion ? deletes : writes).add(path);
      for (const named of namedIn(command, [], line, context))
        if (named.kind === 'host' && named.isGuess === undefined && named.host !== '') hosts.add(named.host);
      const fetched = downloadOf(command);
      if (fetched !== undefined) downloads.add(fetched);
    }
  }
  const list = (of: Iterable<string>): readonly string[] => [...of].slice(0, mostShown);
  // A copy names its target, and the file in it should that be a folder.
  const outer = [...writes].filter((path) => ![...writes].some((other) => path.startsWith(`${other}/`)));
  // The word behind `-o` looks like a host, too.
  const connected = [...hosts].filter((host) => !writes.has(host));
  return { deletes: list(deletes), writes: list(outer), hosts: list(connected), downloads: list(downloads) };
}

function deletesFiles({ argv: [program = '', ...words] }: Command): boolean {
  const name = programName(program);
  if (deleters.has(name)) return true;
  return name === 'git'
    ? words.includes('rm') || words.includes('clean')
    : name === 'find' && words.includes('-delete');
}

/** By name, and by where links lead; what is only known when it runs stands as it is written. */
function pathsOf(word: Word, { around, folders }: PlacedLine, context: RuleContext): readonly string[] {
  if (/^\/dev\/(?:null|stdout|stderr|tty)$/.test(word.value)) return [];
  return pathTexts(word, around).flatMap((text) =>
    isUnknown(text) ? [word.value] : folders.map((folder) => pathsMeant(text, folder, context).join(' → ')),
  );
}

/** The program and what it fetches, or nothing. */
function downloadOf({ argv: [program = '', ...words] }: Command): string | undefined {
  const name = programName(program);
  if (fetchers.has(name)) return name;
  const verb = words.find((word) => !word.startsWith('-'));
  if (verb === undefined || installers[name]?.test(verb) !== true) return name === 'npx' ? 'npx' : undefined;
  return `${name} ${verb}`;
}
