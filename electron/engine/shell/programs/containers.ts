import type { Program } from './program.ts';

const docker: Omit<Program, 'names'> = {
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
  { ...docker, names: 'podman' },
  { ...docker, names: 'docker-compose' },
  {
    names: 'kubectl',
    versions: 'version --client',
    wraps: { verbs: 'exec', skip: 1, valued: '-c --container -n --namespace --context -f' },
    flags: { '': ['f filename | n namespace | A all-namespaces | l selector | R recursive', 'fnlco'] },
  },
];
