import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../../shared/model/intent.ts';
import { parseLine } from '../../shell/parse/parseLine.ts';
import { placed } from '../../shell/placedLine.ts';
import { allowed, commandIntent, judge, protectedPath, rule } from '../testing/judge.ts';
import { findDanger } from './danger.ts';

const around = { cwd: '/home/u/proj', home: '/home/u' };
const dangerOf = (command: string) => findDanger(placed(parseLine(command), around), protectedPath);

describe('P12: a protected place is known however the line comes to its name', () => {
  test.each([
    // what another command says
    'echo x > $(echo .git)/config',
    'echo x > "$(echo .git)"/config',
    'echo x > `echo .git`/config',
    'tee $(printf %s .git/config)',
    'cp x "$(dirname .git/config)"',
    'echo x > "$(cat f)"',
    'for f in $(cat list); do rm "$f"; done',
    'cd "$(cat f)" && echo x > config',
    // variables
    'd=.git; echo x > $d/config',
    'd=.git && e=$d/hooks && cp x "$e"',
    'd=.g; e=it; echo x > "$d$e/config"',
    'd=.gi; d+=t; echo x > $d/config',
    'export D=.git; tee "$D/config"',
    'D=.GIT; tee "${D,,}/config"',
    'tee "${D:-.git}/config"',
    'for d in src .git; do echo x > $d/config; done',
    "sh -c 'for d in .git; do tee $d/config; done'",
    "sh -c 'd=.git; tee $d/config'",
    'read d <<< .git; tee $d/config',
    'a="x .git/config"; tee $a',
    'd=.git; cd $d; tee config',
    // folders
    'cd .git && tee config',
    'cd -- .git && tee config',
    'cd -P .git/hooks; cp /x pre-commit',
    'pushd .git; tee config',
    'builtin cd .git; tee config',
    'cd .g?t; tee config',
    'cd .{git,x}; tee config',
    'cd src/../.git && tee config',
    '(cd .git; tee config)',
    'git -C .git/x rm a; make -C .git x > config',
    'env -C .git tee config',
    'env --chdir=.git tee config',
    'tar -C .git -xf a.tar',
    'tar --directory=.git -xf a.tar',
    // patterns
    'tee .g?t/config',
    'tee .[g]it/config',
    'tee .gi*/config',
    'tee .*/config',
    'tee .{git,svn}/config',
    'tee .gi{t,s}/config',
    'rm .github/work*/ci.yml',
    'rm .vscode/*.json',
    'tee ~/.bash*',
    // spellings
    'tee .GIT/config',
    'tee ./x/../.git/config',
    'tee a/b/../../.git//config',
    'tee ../proj/.git/config',
    'tee $HOME/.bashrc',
    'tee "${HOME}/.bashrc"',
    'tee ${HOME%/}/.bashrc',
    'tee ~root/.bashrc',
    'tee "$PWD/.git/config"',
    "tee .g'i't/config",
    'tee .g\\it/config',
    'find . -path "*.git*" -exec tee {} +',
    // what functions and scripts are given
    'f() { tee "$1"; }; f .git/config',
    'set -- .git/config; tee "$1"',
    `sh -c 'tee "$1"' _ .git/config`,
    `bash -c 'tee $0/config' .git`,
    // what another command says
    'ls | xargs rm -f',
    'cat list | xargs -n 1 tee',
    'cat list | xargs -I{} cp a {}',
    "cat list | xargs sed -i 's/a/b/'",
    "awk '{ print > $1 }' list",
    'd=.gitx; tee "${d%x}/config"',
    'd=./.git; tee "${d#./}/config"',
    // links
    'ln -s .git g',
    'ln -s .git/hooks h',
    'ln .git/config c',
    'cp -al .git g',
    // other writers
    'find .git -delete',
    'find .git/hooks -name x -exec rm {} +',
    "find . -path './.git/*' -delete",
    'find . -fprint .git/config',
    'gzip .git/config',
    'xxd a .git/config',
    'uniq a .git/config',
    'split a .git/x',
    'openssl rand -out .git/config 5',
    'gcc a.c -o .git/hooks/pre-commit',
    'git diff --output=.git/config',
    'git archive -o .git/x HEAD',
    'git worktree add .git/x',
    'curl -c .git/config u',
    'tar -cf .git/config a',
    'tar cf .git/config a',
    'yq -i .a=1 .github/workflows/ci.yml',
    'script .git/config',
  ])('%s', (command) => {
    expect({ command, always: dangerOf(command).always.length > 0 }).toEqual({ command, always: true });
  });

  test.each([
    'd=src; echo x > $d/config',
    'echo x > $(echo src)/config',
    'mkdir -p "$(pwd)/out"',
    'cp a "$(git rev-parse --show-toplevel)/b"',
    'tee "log-$(date +%s)"',
    't=$(mktemp); echo x > "$t"',
    'for f in a b; do touch "$f"; done',
    'rm -f *.log',
    'for f in *.js; do mv "$f" "${f%.js}.ts"; done',
    "grep -rl a src | xargs sed -n 's/a/b/p'",
    'touch src/*.ts',
    'mkdir -p "$OUT/x"',
    'cd src && tee config',
    'find src -name "*.o" -delete',
    'tar -xzf a.tgz -C out',
    'tar czf a.tgz src .github',
    'gcc a.c -o a',
    'cp .git/config /tmp/x',
    'git diff --output=a.patch',
  ])('%s is not one', (command) => {
    expect({ command, ...dangerOf(command) }).toEqual({ command, red: [], always: [], beyond: [] });
  });

  test('what the call adds to the environment is known', () => {
    const always = (environment: Readonly<Record<string, string>>) =>
      findDanger(placed(parseLine('tee "$D/config"'), { ...around, environment }), protectedPath).always;
    expect(always({ D: '.git' })).toEqual(['writes $D/config: protected folder']);
    expect(always({ D: 'src' })).toEqual([]);
  });
});

describe('C4: a variable of the line hides no hard limit', () => {
  test.each([
    'd=/; rm -r "$d"etc',
    'd=~; rm -rf "$d"',
    'for d in /usr; do rm -rf $d; done',
    'rm -rf $(echo /)',
    'rm -rf ${X:-/}',
  ])('%s', (command) => {
    expect(dangerOf(command).red).not.toEqual([]);
  });
});

describe('C1: no rule allows what is only known when it runs', () => {
  test.each([
    ['tee "$X"', 'tee'],
    ['cp a $X', 'cp'],
    ['rm -f "$X/a"', 'rm'],
    ['cp a "$(cat f)"', 'cp'],
    ['sort -o "$X" a', 'sort'],
  ])('%s', (command, allow) => {
    expect(judge(command, { rules: allowed(allow, 'ls', 'cat', 'find') })).toMatchObject({
      verdict: 'ask',
      rememberable: false,
    });
  });

  test('what a call adds to the environment must stand in the rule', () => {
    const intent: Intent = {
      ...commandIntent('git fetch'),
      preview: {
        kind: 'command',
        command: 'git fetch',
        cwd: '/home/u/proj',
        mode: 'direct',
        env: { GIT_SSH_COMMAND: 'x' },
        hash: '',
      },
    };
    expect(judge(intent, { rules: allowed('git fetch') }).verdict).toBe('ask');
    expect(judge(intent, { rules: allowed('GIT_SSH_COMMAND=x git fetch') }).verdict).toBe('allow');
    const pushes = { ...intent, preview: { ...intent.preview, env: { GIT_SSH_COMMAND: 'git push' } } };
    const deny = [rule('deny', { command: ['git', 'push'] })];
    expect(judge(pushes, { rules: deny, allow: 'dangerous' }).verdict).toBe('ask');
    expect(judge(intent, { rules: deny, allow: 'dangerous' }).verdict).toBe('allow');
  });
});

describe('C1: a path that is forbidden is found however it is named', () => {
  const question = {
    allow: 'dangerous',
    rules: [rule('deny', { path: 'secrets/**' }), rule('deny', { path: '.env' })],
  } as const;

  test.each([
    'cd secrets && cat key',
    'd=secrets; cat $d/key',
    'cat $(echo secrets)/key',
    'tar -C secrets -cf - key',
    'cat "$(echo .env)"',
  ])('%s is denied', (command) => {
    expect({ command, verdict: judge(command, question).verdict }).toEqual({ command, verdict: 'deny' });
  });

  test.each([
    'cat sec*/key',
    'cat s?crets/key',
    'cat {secrets,x}/key',
    'cat .e*',
    'cat .en[v]',
    'cat .{env,x}',
    'cat "$X"',
    'cat $(cat list)',
    'cat */key',
    'cat *',
  ])('%s is asked', (command) => {
    expect({ command, verdict: judge(command, question).verdict }).toEqual({ command, verdict: 'ask' });
  });

  test.each(['ls *.ts', 'cat src/*', 'echo "$X"', 'cat src/a', 'rm {a,b}.log', 'cat [a-c]*.env'])(
    '%s is neither',
    (command) => {
      expect({ command, verdict: judge(command, question).verdict }).toEqual({ command, verdict: 'allow' });
    },
  );
});

test('J5: words that are made to have many readings are followed only so far', () => {
  const nested = `cat ${'"${'.repeat(3_000)}`;
  expect(parseLine(nested).unparsable).toBe('it is nested too deeply');
  const asked = [
    `tee ${'{a,b}'.repeat(900)}`,
    `tee ${'.*/'.repeat(1_200)}`,
    `tee .${'*a'.repeat(4_000)}`,
    `${'a=b$a$a;'.repeat(20)} tee "$a$a$a"`,
    `tee ${'$(echo $(echo a))'.repeat(20)}`,
    `${'cd {a,b,c}/{d,e}; '.repeat(8)}${'tee {b,c}{d,e}; '.repeat(40)}`,
  ];
  const rules = [rule('deny', { path: 'secrets/**/x*y*z*' })];
  for (const command of asked) expect(judge(command, { rules, allow: 'dangerous' }).verdict).toBe('ask');
});
