import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../shared/model/intent.ts';
import { ruleText } from '../../../shared/model/rule.ts';
import { allowed, commandIntent, context, judge, pathIntent, rule } from './testing/judge.ts';

const verdictWith = (command: string, ...commands: readonly string[]) =>
  judge(command, { rules: allowed(...commands) }).verdict;

describe('levels', () => {
  test('none runs', () => {
    expect(judge(pathIntent('read', 'none', 'src/a.ts'), { tool: 'read_file', category: 'file' })).toEqual({
      verdict: 'allow',
      by: 'level',
      why: ['tools of level none run'],
      severe: false,
      rememberable: false,
      suggestions: [],
    });
  });

  test('moderate is asked once per tool and session', () => {
    const question = { tool: 'browser_open', category: 'browser' };
    const intent: Intent = { ...pathIntent('read', 'moderate'), targets: [{ kind: 'host', host: 'example.org' }] };
    const first = judge(intent, question);
    expect({ ...first, suggestions: first.suggestions.map(ruleText) }).toEqual({
      verdict: 'ask',
      by: 'host',
      why: ['moderate tools are asked once a session'],
      severe: false,
      rememberable: true,
      suggestions: ['allow tool browser_open'],
    });
    expect(judge(intent, { ...question, sessionGrants: new Set(['browser_open']) })).toMatchObject({
      verdict: 'allow',
      by: 'user',
    });
    expect(judge(intent, { ...question, sessionGrants: new Set(['other']) }).verdict).toBe('ask');
  });

  test('dangerous is asked each time, a grant for the session does not help', () => {
    expect(judge('npm test', { sessionGrants: new Set(['run']) })).toMatchObject({
      verdict: 'ask',
      why: ['dangerous tools are asked each time'],
    });
  });

  test.each([
    ['none', 'moderate', 'deny'],
    ['moderate', 'moderate', 'allow'],
    ['moderate', 'dangerous', 'deny'],
    ['dangerous', 'dangerous', 'allow'],
  ] as const)('--allow %s with a %s call and nobody to ask: %s', (allow, risk, verdict) => {
    const evaluation = judge(commandIntent('npm test', risk), { allow, interactive: false });
    expect({ verdict: evaluation.verdict, code: evaluation.code }).toEqual({
      verdict,
      code: verdict === 'deny' ? 'PERMISSION_REQUIRED' : undefined,
    });
  });
});

describe('C1: a rule never matches more than it says', () => {
  test.each([
    'npm run test',
    'npm run test --silent',
    'npm run test -- "a && b"',
    'npm run "test"',
    'npm run test 2>&1',
    'npm run test > /dev/null 2>&1',
    'npm run test && npm run test',
    '[ -f package.json ] && npm run test',
  ])('npm run test allows %j', (command) => {
    expect(verdictWith(command, 'npm run test')).toBe('allow');
  });

  test.each([
    'npm run test "$X"',
    'npm run tester',
    'npm run',
    'npm  run $X',
    'npm $X test',
    'npm run test*',
    'npm run {test,x}',
    'npm run test && rm x',
    'npm run test; rm x',
    'npm run test || rm x',
    'npm run test | sh',
    'npm run test & rm x',
    'npm run test\nrm x',
    'npm run test\rrm x',
    'npm run test $(rm x)',
    'npm run test "`rm x`"',
    'npm run test <(rm x)',
    'npm run test <<E\n$(rm x)\nE',
    'npm run test > out.txt',
    'npm run test 2> out.txt',
    'X=1 npm run test',
    'PATH=x npm run test',
    'export PATH=x; npm run test',
    'alias npm=rm; npm run test',
    'npm() { rm x; }; npm run test',
    'typeset X=1; npm run test',
    'for PATH in x; do npm run test; done',
    'npm run test $((PATH=1)); npm run test',
    '[[ a || rm ]] && npm run test',
    "[ -v 'a[$(rm x)]' ] && npm run test",
    './npm run test',
    'sudo npm run test',
    'env X=1 npm run test',
    'timeout 5 npm run test',
    "sh -c 'npm run test'",
    'ssh host npm run test',
    "npm run test $'x'",
    'npm run test \u202ex',
    'npm run test\x1b',
    'npm \\\nrun tester',
  ])('npm run test does not allow %j', (command) => {
    expect(verdictWith(command, 'npm run test')).toBe('ask');
  });

  test('each command needs a rule, and each file that is written', () => {
    const rules = allowed('cat', 'grep');
    expect(judge('cat a | grep b', { rules }).verdict).toBe('allow');
    expect(judge('cat a | grep b | sort', { rules }).why).toEqual([
      'dangerous tools are asked each time',
      'no rule covers sort',
    ]);
    const write = rule('allow', { path: 'out/**' });
    expect(judge('cat a > out/x', { rules: [...rules, write] }).verdict).toBe('allow');
    expect(judge('cat a > out/../x', { rules: [...rules, write] }).verdict).toBe('ask');
    expect(judge('cat a > "$X"', { rules: [...rules, write] }).verdict).toBe('ask');
    expect(judge('cd /tmp && cat a > out/x', { rules: [...allowed('cat', 'cd'), write] }).verdict).toBe('ask');
  });

  test('a last $ ends the words, and assignments are command of them', () => {
    expect(verdictWith('make build', 'make build $')).toBe('allow');
    expect(verdictWith('make build install', 'make build $')).toBe('ask');
    expect(verdictWith('make $X', 'make build $')).toBe('ask');
    expect(verdictWith('CI=1 npm test', 'CI=1 npm test')).toBe('allow');
    expect(verdictWith('CI=2 npm test', 'CI=1 npm test')).toBe('ask');
    expect(verdictWith("'CI=1' npm test", 'CI=1 npm test')).toBe('ask');
    expect(verdictWith('CI=1 X=1 npm test', 'CI=1 npm test')).toBe('ask');
  });

  test('words given as words are not read as a line', () => {
    const intent: Intent = {
      ...commandIntent(''),
      targets: [{ kind: 'command', command: 'echo ; rm x', argv: ['echo', ';', 'rm', 'x'], cwd: context.project }],
    };
    expect(judge(intent, { rules: allowed('echo') }).verdict).toBe('allow');
  });
});

describe('C2: a rule for a wrapper is no rule for what it runs', () => {
  test.each([
    ['sudo npm test', ['sudo'], 'ask'],
    ['sudo npm test', ['sudo npm'], 'allow'],
    ['sudo npm test', ['sudo', 'npm test'], 'allow'],
    ['sudo rm x', ['sudo', 'npm test'], 'ask'],
    ['sudo env rm x', ['sudo env'], 'ask'],
    ['sudo env rm x', ['sudo env rm'], 'allow'],
    ['find . -exec rm {} +', ['find .'], 'ask'],
    ['find . -name x', ['find .'], 'allow'],
    ['find . -exec grep a {} +', ['find .', 'grep'], 'allow'],
    ['xargs rm', ['xargs'], 'ask'],
    ['xargs grep a', ['xargs', 'grep'], 'allow'],
    ["sh -c 'rm x'", ['sh -c'], 'ask'],
    ["sh -c 'ls; rm x'", ['sh', 'ls'], 'ask'],
    ["sh -c 'ls > f'", ['sh', 'ls'], 'ask'],
    ['sh -c "$X"', ['sh -c'], 'ask'],
    ['npx vitest', ['npx'], 'ask'],
    ['npx vitest run', ['npx vitest'], 'allow'],
    ['docker exec c rm x', ['docker exec'], 'ask'],
    ['git -c core.pager=x log', ['git'], 'ask'],
    ['git --exec-path=x log', ['git'], 'ask'],
    ['curl x | bash', ['curl', 'bash'], 'ask'],
    ['eval "$X"', ['eval'], 'ask'],
    ['$X', ['ls'], 'ask'],
  ] as const)('%s with %j: %s', (command, rules, verdict) => {
    expect(verdictWith(command, ...rules)).toBe(verdict);
  });
});

describe('deny wins over ask, ask over allow', () => {
  const allowAll = { rules: [rule('allow', { tool: 'run' })], allow: 'dangerous' } as const;

  test.each([
    'git push',
    'git push origin main',
    'ls && git push',
    'X=1 git push',
    'git -C x push',
    '/usr/bin/git push',
    'sudo git push',
    "sh -c 'git push'",
    'echo $(git push)',
    'f() { git push; }',
  ])('a deny rule for git push denies %s', (command) => {
    const deny = rule('deny', { command: ['git', 'push'] });
    expect(judge(command, { ...allowAll, rules: [...allowAll.rules, deny] })).toMatchObject({
      verdict: 'deny',
      by: 'rule',
      rule: deny,
      code: 'PERMISSION_DENIED',
    });
  });

  test('what a deny rule may mean is always asked', () => {
    const rules = [...allowAll.rules, rule('deny', { command: ['git', 'push'] })];
    expect(judge('git $X', { ...allowAll, rules })).toMatchObject({ verdict: 'ask', rememberable: false });
    expect(judge('git $X', { ...allowAll, rules, interactive: false }).verdict).toBe('deny');
    expect(judge('git status', { ...allowAll, rules }).verdict).toBe('allow');
  });

  test('an ask rule is asked although everything is allowed', () => {
    const asking = rule('ask', { command: ['npm', 'publish'] });
    expect(judge('npm publish', { ...allowAll, rules: [...allowAll.rules, asking] })).toMatchObject({
      verdict: 'ask',
      by: 'rule',
      rule: asking,
      rememberable: false,
    });
    expect(judge('npm publish', { ...allowAll, rules: [asking, rule('deny', { tool: 'run' })] }).verdict).toBe('deny');
  });

  test('paths and hosts that are forbidden are found in words and files', () => {
    const rules = [...allowAll.rules, rule('deny', { path: 'secrets/**' }), rule('deny', { host: '*.evil.org' })];
    for (const command of [
      'cat secrets/key',
      'cat < secrets/key',
      'cp x secrets/',
      'echo > Secrets/x',
      'grep --file=secrets/key x',
      'curl https://a.evil.org/x',
      'curl --url=https://u@a.evil.org:8/x',
    ]) {
      expect({ command, verdict: judge(command, { ...allowAll, rules }).verdict }).toEqual({
        command,
        verdict: 'deny',
      });
    }
    expect(judge('cat src/key', { ...allowAll, rules }).verdict).toBe('allow');
    expect(judge(pathIntent('read', 'none', 'secrets/key'), { ...allowAll, rules, tool: 'read_file' }).verdict).toBe(
      'deny',
    );
  });

  test('all matchers of a rule must match', () => {
    const rules = [
      rule('allow', { tool: 'other', command: ['npm', 'test'] }),
      rule('allow', { category: 'git', tool: 'run' }),
    ];
    expect(judge('npm test', { rules }).verdict).toBe('ask');
    expect(judge('npm test', { rules, category: 'git' }).verdict).toBe('allow');
  });
});

describe('hard limits hold at every level', () => {
  const everything = {
    allow: 'dangerous',
    rules: [rule('allow', { tool: 'run' }), ...allowed('rm', 'echo', 'tee', 'ls', 'sudo rm')],
    sessionGrants: new Set(['run']),
  } as const;

  test.each([
    ['C3', 'ls "', false],
    ['C3', `ls ${'x'.repeat(10_000)}`, false],
    ['C3', Array.from({ length: 51 }, () => 'ls').join(';'), false],
    ['C4', 'rm -rf /', true],
    ['C4', 'rm -rf ~', true],
    ['C4', 'rm -rf .', true],
    ['C4', 'rm -rf ..', true],
    ['C4', 'rm -rf "$X"/*', true],
    ['C4', 'sudo rm -rf /', true],
    ['P12', 'echo x > .git/config', false],
    ['P12', 'tee ~/.bashrc', false],
  ] as const)('%s %.30s is asked under "allow all", and denied when nobody can be asked', (_id, command, severe) => {
    const asked = judge(command, everything);
    expect({ ...asked, why: [] }).toEqual({
      verdict: 'ask',
      by: 'host',
      why: [],
      severe,
      rememberable: false,
      suggestions: [],
    });
    const alone = judge(command, { ...everything, interactive: false });
    expect({ ...alone, why: [] }).toMatchObject({ verdict: 'deny', by: 'host', code: 'PERMISSION_DENIED', severe });
    expect(alone.why.at(-1)).toBe('this is always asked, and nobody can be asked here');
    expect(alone.why).toHaveLength(2);
  });

  test('P12: an edit of a protected path is asked, whatever rule there is', () => {
    const rules = [
      rule('allow', { path: '**' }),
      rule('allow', { path: '.git/config' }),
      rule('allow', { tool: 'edit_file' }),
    ];
    for (const path of [
      '.git/config',
      '.github/workflows/ci.yml',
      'sub/.bashrc',
      `${context.project}/.vise/rules.json`,
    ]) {
      const question = { tool: 'edit_file', category: 'file', rules, allow: 'dangerous' } as const;
      expect(judge(pathIntent('write', 'dangerous', path), question)).toMatchObject({
        verdict: 'ask',
        rememberable: false,
      });
      expect(judge(pathIntent('read', 'dangerous', path), question).verdict).toBe('allow');
    }
  });

  test('P12: a change that says it is protected is asked, even when no target names it', () => {
    const change = {
      path: 'x',
      status: 'modified',
      before: null,
      after: null,
      additions: 1,
      deletions: 0,
      hunks: [],
    } as const;
    const intent = (more: object): Intent => ({
      ...pathIntent('write', 'dangerous'),
      preview: { kind: 'changes', changes: [{ ...change, ...more }] },
    });
    expect(judge(intent({ protectedBy: 'a reason' }), { allow: 'dangerous' }).why).toEqual(['changes x: a reason']);
    expect(judge(intent({ oldPath: '.git/config' }), { allow: 'dangerous' }).verdict).toBe('ask');
    expect(judge(intent({}), { allow: 'dangerous' }).verdict).toBe('allow');
  });

  test('edits that are applied as they come run unasked; what else an edit could do is asked all the same', () => {
    const change = { path: 'x', status: 'modified', before: null, after: null, additions: 1, deletions: 0, hunks: [] };
    const edit = (more: object = {}, effects: Intent['effects'] = ['reads', 'writes']): Intent => ({
      ...pathIntent('write', 'dangerous', 'x'),
      effects,
      preview: { kind: 'changes', changes: [{ ...change, status: 'modified', ...more }] },
    });
    const after = { appliesEdits: true, tool: 'edit_file', category: 'file' };
    expect(judge(edit(), { ...after, appliesEdits: false }).verdict).toBe('ask');
    expect(judge(edit(), after)).toMatchObject({ verdict: 'allow', by: 'user' });
    expect(judge(edit({ protectedBy: 'a reason' }), after).verdict).toBe('ask');
    expect(judge(edit({}, ['writes', 'executes']), after).verdict).toBe('ask');
    expect(judge(pathIntent('write', 'dangerous', 'x'), after).verdict).toBe('ask');
    expect(judge('npm test', after).verdict).toBe('ask');
    expect(judge(edit(), { ...after, rules: [rule('ask', { tool: 'edit_file' })] }).verdict).toBe('ask');
    expect(judge(edit(), { ...after, rules: [rule('deny', { tool: 'edit_file' })] }).verdict).toBe('deny');
    expect(judge(edit(), { ...after, brokenRules: ['rules.json is broken'] }).verdict).toBe('ask');
  });

  test('rules that cannot be read mean that everything is asked', () => {
    const question = { ...everything, brokenRules: ['rules.json is broken'] };
    expect(judge('ls', question)).toMatchObject({ verdict: 'ask', rememberable: false });
    expect(judge(pathIntent('read', 'none', 'a'), question).verdict).toBe('ask');
    expect(judge('ls', { ...question, interactive: false }).verdict).toBe('deny');
    expect(judge('ls', { ...question, rules: [rule('deny', { command: ['ls'] })] }).verdict).toBe('deny');
  });
});

describe('suggestions are exact and narrow', () => {
  const texts = (command: string | Intent, more = {}) => judge(command, more).suggestions.map(ruleText);

  test.each([
    ['npm run build --silent', ['allow command npm run build']],
    ['npm test', ['allow command npm test']],
    ['cargo test -p x', ['allow command cargo test']],
    ['git commit -m "a b"', ['allow command git commit']],
    ['git push origin main', ['allow command git push origin main $']],
    ['rm -f a', ['allow command rm -f a $']],
    ['python x.py --y', ['allow command python x.py --y $']],
    ['cat a | grep "b c" > out/x', ['allow command cat', 'allow command grep', 'allow path out/x']],
    ['npm run build && npm run build -- x', ['allow command npm run build']],
    ['CI=1 npm test', ['allow command CI=1 npm test $']],
    ['sudo npm test', ['allow command sudo npm test $']],
    ['cat "$X"', ['allow command cat']],
    ['rm "$X"', []],
    ['$X', []],
    ['f() { ls; }; f', []],
    ['ls\u200b', []],
    ['npm test > "$X"', []],
  ])('%s', (command, expected) => {
    expect(texts(command)).toEqual(expected);
    expect(judge(command).rememberable).toBe(expected.length > 0);
  });

  test('what is suggested would have allowed the call', () => {
    for (const command of ['npm run build && cat a > out/x', 'sudo npm test', '[ -f a ] && make']) {
      expect(judge(command, { rules: judge(command).suggestions }).verdict).toBe('allow');
    }
  });

  test('only what existing rules leave open is suggested', () => {
    expect(texts('cat a | grep b', { rules: allowed('cat') })).toEqual(['allow command grep']);
  });

  test('edits: the folder of each file; hosts: the host', () => {
    const edit = pathIntent('write', 'dangerous', 'src/a.ts', 'src/b.ts', 'README.md', `${context.project}/lib/x/y.ts`);
    const question = { tool: 'edit_file', category: 'file' };
    expect(texts(edit, question)).toEqual([
      'allow tool edit_file, path src/**',
      'allow tool edit_file, path README.md',
      'allow tool edit_file, path lib/x/**',
    ]);
    expect(
      texts({ ...edit, targets: [{ kind: 'host', host: 'a.org' }] }, { tool: 'navigate', category: 'browser' }),
    ).toEqual(['allow tool navigate, host a.org']);
  });

  test('a path rule stays in the project', () => {
    const rules = [rule('allow', { path: '**' })];
    const question = { tool: 'edit_file', category: 'file', rules };
    expect(judge(pathIntent('write', 'dangerous', 'a/b.ts'), question).verdict).toBe('allow');
    expect(judge(pathIntent('write', 'dangerous', 'a/b.ts', '../x'), question).verdict).toBe('ask');
    expect(judge(pathIntent('write', 'dangerous', '/etc/x'), question).verdict).toBe('ask');
    expect(judge(pathIntent('write', 'dangerous', '/home/u/proj2/x'), question).verdict).toBe('ask');
  });
});
