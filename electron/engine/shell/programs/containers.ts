import { literalWord } from '../parse/line.ts';
import type { Program } from './program.ts';
import { gathered, wholeTree } from './sweeps.ts';

const docker: Omit<Program, 'names'> = {
  // What a container is shown of the machine it may write.
  writes: ({ argv }) => mountSources(argv).map((source) => literalWord(source)),
  sweeps,
  outputs: '-o --output',
  wraps: {
    verbs: 'exec',
    skip: 1,
    valued: '-e --env --env-file -u --user -w --workdir --detach-keys -f --file -p',
  },
};

export const containers: readonly Program[] = [
  {
    ...docker,
    names: 'docker',
    versions: '--version | -v',
    flags: {
      run: ['v volume | e env | p publish | i interactive | t tty | d detach | w workdir | u user', 'vepwulmhca'],
    },
    seconds: { build: 60, 'buildx build': 60, 'compose build': 60, pull: 30 },
    valued: '-H --host -c --context --config -l --log-level -f --file -p --project-name',
  },
  { ...docker, names: 'podman nerdctl buildah' },
  { ...docker, names: 'docker-compose' },
  {
    names: 'kubectl',
    versions: 'version --client',
    wraps: { verbs: 'exec', skip: 1, valued: '-c --container -n --namespace --context -f' },
    flags: { '': ['f filename | n namespace | A all-namespaces | l selector | R recursive', 'fnlco'] },
  },
];

/** The folder that an image is built of, or that is copied into a container. */
const builds = gathered(/^(?:-\S+ )*(?:(?:image|buildx|builder|container) )?(?:build|bud|cp|copy|add)\b/);
/** Folders and mounts stand in a file. */
const composed = /(?:^|[\s-])compose\s.*\b(?:up|run|build|create|start|restart|watch)\b|\bstack deploy\b|\bbake\b/;

/** What of the machine goes into an image or a container, to be read there. */
function sweeps(argv: readonly string[]): readonly string[] {
  if (composed.test(argv.join(' '))) return [wholeTree];
  return [...builds(argv), ...mountSources(argv, 'all')];
}

/** What of the machine `-v`, `--volume` and `--mount` show to a container; `written` without what it may only read. */
export function mountSources(argv: readonly string[], which: 'all' | 'written' = 'written'): readonly string[] {
  return argv.flatMap((word, at) => {
    const next = argv[at + 1] ?? '';
    const given = /^(?:-\w*v|--volume|--mount)$/.test(word)
      ? next
      : (/^(?:--volume=|--mount=|-v(?=[./~$]))(.*)$/s.exec(word)?.[1] ?? '');
    if (which === 'written' && /(?:^|,)(?:ro|readonly)(?:=(?:1|true))?(?:,|$)|:ro(?:,|$)/.test(given)) return [];
    const named = /(?:^|,)(?:source|src)=([^,]+)/.exec(given)?.[1];
    const [before = '', target] = given.split(':');
    const source = named ?? (target !== undefined && /^[./~$]/.test(before) ? before : undefined);
    return source === undefined ? [] : [source.replace(/^\$\{?PWD\}?|^\$\(pwd\)/, '.').replace(/^\$\{?HOME\}?/, '~')];
  });
}
