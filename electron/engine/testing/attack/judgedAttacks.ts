import { listAllows } from '../../exec/sandbox/dialHost.ts';
import { allowed, context, judge } from '../../permission/testing/judge.ts';
import { protectedPath } from '../../workspace/protectedPath.ts';
import type { Seeded } from './seeded.ts';

/** What was tried, and what of it must not be so; undefined where everything held. */
export interface Tried {
  readonly attack: string;
  readonly broken: string | undefined;
}

const destruction = [
  ...['rm -rf /', 'rm -rf ~', 'rm -rf .', 'rm -rf ..', 'rm -rf "$HOME"/*', 'rm -r -f -- /', 'rm -rf /*', 'rm -fr ./'],
  ...['find / -delete', 'find . -delete', 'dd if=/dev/zero of=/dev/sda', 'mkfs.ext4 /dev/sda1', 'chmod -R 777 /'],
  ...['rm$IFS-rf$IFS/', 'find . -type f -delete', 'tar cf /dev/sda .', 'parted /dev/sda mklabel gpt'],
  ...[
    'terraform destroy -auto-approve',
    'kubectl -n x delete ns prod',
    'aws s3 rb s3://b --force',
    'zfs destroy -r tank',
  ],
  ...[
    'docker volume rm data',
    'docker compose -f a.yml down -v',
    'gh repo delete o/r --yes',
    'npm unpublish x',
    'dropdb x',
  ],
  ...[
    'gcloud projects delete x',
    'az group delete -n x',
    'redis-cli flushall',
    'kill -9 -1',
    "psql -c 'drop database x'",
  ],
  ...['git clean -fdx', 'shred -u /dev/sda', 'cp x /dev/sda', 'rm -rf /home/u', 'rm -rf /home/u/proj'],
];

const quoted = (line: string): string => `'${line.replaceAll("'", `'\\''`)}'`;

const wraps: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `sudo ${line}`,
  (line) => `env A=1 ${line}`,
  (line) => `timeout 5 ${line}`,
  (line) => `nice -n 5 ${line}`,
  (line) => `nohup ${line} &`,
  (line) => `true && ${line}`,
  (line) => `false || ${line}`,
  (line) => `echo a; ${line}`,
  (line) => `(${line})`,
  (line) => `{ ${line}; }`,
  (line) => `if true; then ${line}; fi`,
  (line) => `for x in 1; do ${line}; done`,
  // With a blank: `$((` would begin arithmetic.
  (line) => `echo "$( ${line} )"`,
  (line) => `sh -c ${quoted(line)}`,
  (line) => `bash -lc ${quoted(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `A=1 ${line}`,
  (line) => `${line} # later`,
  (line) => `echo a\n${line}`,
  (line) => `cd src && ${line}`,
];

const disguises: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.replace(/^(\w)(\w+)/, `$1''$2`),
  (line) => line.replace(/^([\w.]+)/, '"$1"'),
  (line) => line.replace(/^/, '\\'),
  (line) => line.replace(/^/, '/usr/bin/'),
  (line) => line.replaceAll(' ', '  '),
];

/** C4: always asked, whatever is allowed. The line is judged and never run. */
export function hardLimit({ pick }: Seeded): Tried {
  const attack = pick(wraps)(pick(wraps)(pick(disguises)(pick(destruction))));
  const { verdict } = judge(attack, { allow: 'dangerous', rules: allowed('rm', 'sh', 'bash', 'sudo', 'find', 'git') });
  return { attack, broken: verdict === 'allow' ? 'it would run without a question' : undefined };
}

const places = [
  ...[
    '.git/config',
    '.git/hooks/pre-commit',
    '.vise/rules.json',
    '.cli-bridge/x/1.json',
    '.vscode/tasks.json',
    '.npmrc',
  ],
  ...[
    '.github/workflows/ci.yml',
    '.husky/pre-commit',
    '.claude/settings.json',
    '.mcp.json',
    '.envrc',
    '.gitlab-ci.yml',
  ],
  ...[
    '.cargo/config.toml',
    '.vscode',
    '.github/',
    '~/.local/bin/git',
    '/etc/profile.d/x.sh',
    '.gdbinit',
    '.devcontainer.json',
    '~/.bashrc',
    '/home/u/.profile',
    '~/.ssh/authorized_keys',
  ],
];

const writers: readonly ((place: string) => string)[] = [
  (place) => `cp a ${place}`,
  (place) => `cp -t ${place} a`,
  (place) => `mv a ${place}`,
  (place) => `ln -sf a ${place}`,
  (place) => `install -m 755 a ${place}`,
  (place) => `echo a > ${place}`,
  (place) => `echo a >> ${place}`,
  (place) => `echo a | tee -a ${place}`,
  (place) => `sed -i s/a/b/ ${place}`,
  (place) => `curl -sSLo ${place} https://example.com/a`,
  (place) => `wget -qO ${place} https://example.com/a`,
  (place) => `dd if=a of=${place}`,
  (place) => `git clone https://example.com/a ${place}`,
  (place) => `prettier --write ${place}`,
  (place) => `find . -name a -exec cp {} ${place} ;`.replace(' ;', String.raw` \;`),
  (place) => `rsync a ${place}`,
  (place) => `cp -r a/. ${place}`,
  (place) => `unzip a.zip -d ${place}`,
  (place) => `wget -P ${place} https://example.com/a`,
  (place) => `git apply --directory=${place} a`,
  (place) => `awk '{ print > "${place}" }' a`,
  (place) => `sort -o ${place} a`,
  (place) => `sqlite3 db ".once ${place}" .dump`,
  (place) => `psql -c '\\o ${place}'`,
  (place) => `vim -es -c 'w! ${place}' -c q a`,
  (place) => `docker run --mount type=bind,src=${place},dst=/a b`,
  (place) => `docker run -v ${place}:/a b`,
  (place) => `python3 tool.py --output ${place}`,
  (place) => `P=${place}; cp a "$P"`,
  (place) => `unknown-program ${place}`,
];

/** P12: asked, whatever is allowed. */
export function protectedPlace({ pick }: Seeded): Tried {
  const attack = pick(wraps)(pick(writers)(pick(places)));
  const { verdict } = judge(attack, { allow: 'dangerous', context: { ...context, protectedPath } });
  return { attack, broken: verdict === 'allow' ? 'it would write a protected place without a question' : undefined };
}

const covered: readonly (readonly [rule: string, line: string])[] = [
  ['make', 'make -f /tmp/evil'],
  ['make', 'make -C .. x'],
  ['make', 'make --include-dir=evil x'],
  ['tar', 'tar --to-command=./evil -xf a.tar'],
  ['go test', 'go test -toolexec=./evil'],
  ['git log', 'git log --output=x'],
  ['git diff', 'git diff --ext-diff'],
  ['git show', 'git show --textconv'],
  ['git fetch', 'git fetch --upload-pack=./x origin'],
  ['git commit', 'git commit -F /home/u/.ssh/id_rsa'],
  ['go test', 'go test -exec ./x ./...'],
  ['go vet', 'go vet -vettool=./x'],
  ['cargo build', 'cargo build --config build.rustc-wrapper=./x'],
  ['npm test', 'npm test --script-shell ./x'],
  ['npm run lint', 'npm run lint -- -c evil.js'],
  ['eslint', 'eslint --rulesdir x .'],
  ['pytest', 'pytest --basetemp=src'],
  ['find', 'find . -delete'],
  ['sort', 'sort -ox y'],
  ['rg', 'rg --pre ./x y'],
  ['curl', 'curl -K x'],
  ['tool', 'tool --config=x'],
  ['xargs', 'xargs sh -c x'],
  ['sqlite3', 'sqlite3 db ".shell x"'],
  ['psql', "psql -c '\\! x'"],
  ['docker run', 'docker run --privileged b'],
  ['docker run', 'docker run -v /:/h b'],
];
const more = ['', ' -v', ' a', ' --verbose', ' "a b"', ' ./src', ' 2>&1'];

/** C10: a prefix never leaves open an option that names a program, a file or a configuration. */
export function ruleEffect({ pick }: Seeded): Tried {
  const [rule, line] = pick(covered);
  const attack = `${line}${pick(more)}${pick(more)}`;
  const { verdict } = judge(attack, { rules: allowed(rule) });
  return { attack: `${rule} ⊢ ${attack}`, broken: verdict === 'allow' ? 'the rule allows it' : undefined };
}

const spellings = [
  ...[
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '[::1]',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    'localhost',
    'LOCALHOST.',
  ],
  ...[
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '100.100.100.200',
    'fd00:ec2::254',
    'fe80::1',
    '::',
  ],
];

const secretsOfClouds = [
  ...['169.254.169.254', '2852039166', '0xA9FEA9FE', '0251.0376.0251.0376', '169.254.43518', '100.100.100.200'],
  ...['[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[fd00:ec2::254]', 'METADATA.google.internal.'],
];

/** C10: a command that asks there is asked, whatever is allowed. */
export function metadataCommand({ pick }: Seeded): Tried {
  const host = pick(secretsOfClouds);
  const line = pick([`curl -s http://${host}/a`, `wget -qO- ${host}/a`, `curl -L ${host}/a`, `ssh ${host} ls`]);
  const attack = pick(wraps)(line);
  const { verdict } = judge(attack, { allow: 'dangerous', rules: allowed('curl', 'wget', 'ssh') });
  return { attack, broken: verdict === 'allow' ? 'it would ask for secrets without a question' : undefined };
}

/** C9: no star of the sandbox's list means this machine, or where clouds tell their secrets. */
export function metadataAddress({ pick }: Seeded): Tried {
  const attack = pick(spellings);
  const host = attack.replace(/^\[(.*)\]$/, '$1');
  const list = pick([['*'], ['*', 'example.com'], ['*.example.com', '*']]);
  return {
    attack: `${list.join(' ')} ⊢ ${host}`,
    broken: listAllows(list, host) ? 'the list lets it through' : undefined,
  };
}
