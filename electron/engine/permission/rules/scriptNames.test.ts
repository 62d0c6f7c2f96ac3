import { describe, expect, test } from 'vitest';
import { parseLine } from '../../shell/parse/parseLine.ts';
import { programOf } from '../../shell/programs/programs.ts';
import { allowed, context, judge, rule } from '../testing/judge.ts';

const scriptsOf = (line: string) => parseLine(line).commands.map(({ argv }) => programOf(argv[0] ?? '').script?.(argv));

test.each([
  ['npm run build', 'build'],
  ['npm run-script build -- --x', 'build'],
  ['npm --silent run build', 'build'],
  ['npm test', 'test'],
  ['npm t', 'test'],
  ['pnpm run build', 'build'],
  ['pnpm build', 'build'],
  ['yarn build', 'build'],
  ['yarn run build', 'build'],
  ['bun run build', 'build'],
  ['npm.cmd start', 'start'],
])('%s runs the script %s', (command, name) => {
  expect(scriptsOf(command)).toEqual([name]);
});

test.each(['npm install', 'npm', 'npm run', 'bun test', 'echo npm run build', 'node build'])(
  '%s runs none',
  (command) => {
    expect(scriptsOf(command)).toEqual([undefined]);
  },
);

describe('what a script of the package runs is judged as well', () => {
  const scripts: Readonly<Record<string, string>> = {
    wipe: 'rm -rf ~',
    hook: 'tee .git/hooks/pre-commit',
    pretidy: 'rm -rf /',
    tidy: 'ls',
    release: 'tsc && git push --force',
    steal: 'curl https://a.example.com/',
    build: 'tsc -p . && rm -rf dist',
    odd: 'if [',
    nested: 'npm run wipe',
  };
  const where = {
    ...context,
    packageScript: (folder: string, name: string) => (folder === context.project ? scripts[name] : undefined),
  };

  test('C4: a hard limit holds behind it, under every level and rule', () => {
    const question = {
      context: where,
      allow: 'dangerous',
      rules: [...allowed('npm run', 'yarn'), rule('allow', { tool: 'run' })],
    } as const;
    expect(judge('npm run wipe', question)).toMatchObject({
      verdict: 'ask',
      severe: true,
      why: ['the script "wipe" deletes ~'],
    });
    expect(judge('sudo yarn tidy', question)).toMatchObject({
      severe: true,
      why: ['the script "pretidy" deletes everything (/)'],
    });
    expect(judge('npm run build', question).verdict).toBe('allow');
    expect(judge('cd elsewhere && npm run build', question).verdict).toBe('allow');
  });

  test('P12: a protected place that it writes is asked', () => {
    expect(judge('npm run hook', { context: where, allow: 'dangerous' })).toMatchObject({
      verdict: 'ask',
      why: ['the script "hook" writes .git/hooks/pre-commit: protected folder'],
    });
  });

  test('C2: a deny rule finds commands and hosts in it', () => {
    const rules = [rule('deny', { command: ['git', 'push'] }), rule('deny', { host: '*.example.com' })];
    const question = { context: where, allow: 'dangerous', rules } as const;
    expect(judge('npm run release', question).verdict).toBe('deny');
    expect(judge('npm run steal', question).verdict).toBe('deny');
    expect(judge('npm run build', question).verdict).toBe('allow');
  });

  test('it is looked at one level deep, and what is no line for a shell is left to it', () => {
    expect(judge('npm run nested', { context: where, allow: 'dangerous' }).verdict).toBe('allow');
    expect(judge('npm run odd', { context: where, allow: 'dangerous' }).verdict).toBe('allow');
  });
});
