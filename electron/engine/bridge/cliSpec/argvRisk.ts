import { commandOfArgv } from '../../shell/parse/line.ts';
import { programOf } from '../../shell/programs/programs.ts';
import { isReadOnlyArgv } from '../../shell/readOnly.ts';
import { writeTargets } from '../../shell/writeTargets.ts';

/** Words of programs that nobody has described to us, after which something is gone or out of hand. */
const grave =
  /^(?:rm|del|delete|destroy|drop|erase|kill|prune|publish|purge|push|remove|reset|revoke|terminate|uninstall|wipe)$|^--(?:hard|force|delete|prune|purge)(?:-|=|$)/;

/** Facts of a program that say nothing of what it changes. */
const namesOnly: ReadonlySet<string> = new Set(['names', 'words', 'versions', 'sweeps']);

/**
 * What the words of a call do, as the reader of commands knows it for `run`: proven to only read, known to change something, or
 * neither, where nothing is known of the program.
 */
export function argvRisk(argv: readonly string[], platform = process.platform): 'reads' | 'changes' | 'unknown' {
  if (isReadOnlyArgv(argv, platform)) return 'reads';
  const [file = '', ...words] = argv;
  const isDescribed = Object.keys(programOf(file)).some((fact) => !namesOnly.has(fact));
  if (isDescribed || writeTargets(commandOfArgv(argv)).length > 0) return 'changes';
  return words.some((word) => grave.test(word)) ? 'changes' : 'unknown';
}
