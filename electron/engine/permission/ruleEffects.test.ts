import { describe, expect, test } from 'vitest';
import { ruleText } from '../../../shared/model/rule.ts';
import { allowed, commandIntent, context, judge, pathIntent, rule } from './testing/judge.ts';

const verdict = (command: string, ...rules: readonly string[]) => judge(command, { rules: allowed(...rules) }).verdict;

describe('C10: a rule never leaves open an option that names a program, a file or a configuration', () => {
  test.each([
    ['git log', 'git log --format=%H --output=/home/u/.config/vise/rules.json'],
    ['git log', 'git log --output out.txt'],
    ['git diff', 'git diff --ext-diff'],
    ['git show', 'git show --textconv x'],
    ['git grep', 'git grep -Oless x'],
    ['git add', 'git add --pathspec-from-file=x'],
    ['git commit', 'git commit -F /home/u/.ssh/id_rsa'],
    ['git fetch', 'git fetch --upload-pack=x origin'],
    ['git clone', 'git clone --config core.fsmonitor=x u'],
    ['git clone', 'git clone --template=x u'],
    ['go test', 'go test -exec ./x ./...'],
    ['go test', 'go test -o x ./...'],
    ['go vet', 'go vet -vettool=./x ./...'],
    ['go build', 'go build -toolexec ./x'],
    ['cargo build', 'cargo build --config build.rustc-wrapper=./x'],
    ['cargo test', 'cargo test --target-dir ../x'],
    ['cargo clippy', 'cargo clippy -- -Clinker=./x'],
    ['cargo test', 'cargo test -- --logfile x'],
    ['npm test', 'npm test --script-shell ./x'],
    ['npm test', 'npm test --prefix ../x'],
    ['npm test', 'npm test -w ../x'],
    ['npm test', 'npm test --workspace=packages/a'],
    ['npm test', 'npm --prefix ../x test'],
    ['npm test', 'npm -C ../x test'],
    ['npm', 'npm --prefix ../x test'],
    ['pnpm test', 'pnpm -C ../x test'],
    ['pnpm test', 'pnpm test -r'],
    ['pnpm test', 'pnpm test --filter ../x'],
    ['yarn test', 'yarn --cwd ../x test'],
    ['yarn', 'yarn --cwd ../x test'],
    ['npm run lint', 'npm run lint -- --config evil.js'],
    ['npm run lint', 'npm run lint -- -c evil.js'],
    ['npm run lint', 'npm run lint "$X"'],
    ['eslint', 'eslint -c evil.js .'],
    ['eslint', 'eslint --rulesdir=x --plugin x .'],
    ['pytest', 'pytest --basetemp=src'],
    ['pytest', 'pytest -c evil.ini'],
    ['find .', 'find . -name x.tmp -delete'],
    ['find .', 'find . -fprint x'],
    ['sort', 'sort -o x y'],
    ['sort', 'sort x -ox'],
    ['sort', 'sort --compress-program=./x y'],
    ['uniq', 'uniq a b'],
    ['tree', 'tree -o x'],
    ['rg', 'rg --pre ./x y'],
    ['curl', 'curl -sSLo x https://h/'],
    ['curl', 'curl --output x https://h/'],
    ['curl', 'curl -K x'],
    ['date', 'date -s now'],
    ['tool', 'tool --output x'],
    ['tool', 'tool --config=x'],
    ['tool', 'tool -o x'],
    ['tool -o', 'tool -o x'],
    ['xargs sort', 'xargs sort'],
    ['xargs tool', 'xargs tool'],
    ['sudo tool', 'sudo tool --config x'],
  ])('"%s" does not cover %s', (allow, command) => {
    expect(verdict(command, allow)).toBe('ask');
    expect(verdict(command, `${command} $`)).toBe(/"\$X"/.test(command) ? 'ask' : 'allow');
  });

  test.each([
    ['git log', 'git log --oneline -5 --stat -- src'],
    ['git diff', 'git diff --stat HEAD~1'],
    ['git commit', 'git commit -am "x y"'],
    ['git push', 'git push -u origin main'],
    ['go test', 'go test -race -run TestX -count=1 ./...'],
    ['cargo test', 'cargo test -p x --release -- --nocapture'],
    ['npm test', 'npm test --silent'],
    ['npm run test', 'npm run test -- --x "a b"'],
    ['find .', "find . -name '*.ts' -not -path './x/*'"],
    ['sort', 'sort -rn x'],
    ['rg', 'rg -n TODO src'],
    ['grep', 'grep -rn "$X" src'],
    ['tool', 'tool --verbose x'],
    ['tool --config x', 'tool --config x y'],
    ['curl', 'curl -sSL https://h/'],
    ['sudo tool', 'sudo tool x'],
  ])('"%s" still covers %s', (allow, command) => {
    expect(verdict(command, allow)).toBe('allow');
  });
});

describe('C10: a rule for a program covers what it writes only inside the project', () => {
  test.each([
    ['cp', 'cp a /etc/x'],
    ['cp', 'cp a ../x'],
    ['tee', 'tee /home/u/x'],
    ['tar', 'tar -xf a.tar -C /home/u'],
    ['mv', 'mv /home/u/x a'],
    ['sudo cp', 'sudo cp a /etc/x'],
    ['git worktree', 'git worktree add ../x'],
  ])('"%s" does not cover %s', (allow, command) => {
    expect(verdict(command, allow)).toBe('ask');
    expect(verdict(command, `${command} $`)).toBe('allow');
  });

  test('a path rule covers the rest', () => {
    const rules = [...allowed('cp'), rule('allow', { path: '/etc/**' })];
    expect(judge('cp a /etc/x', { rules }).verdict).toBe('allow');
    expect(judge('cp a b', { rules }).verdict).toBe('allow');
  });
});

describe('C10: a rule says nothing of what a command reads, runs or obeys outside of the project', () => {
  test.each([
    ['go test', 'go test ../x/...'],
    ['cargo test', 'cargo test -p ../x'],
    ['pytest', 'pytest /home/u/other/tests'],
    ['mvn test', 'mvn test -f ../x'],
    ['gradle test', 'gradle test -p ../x'],
    ['composer test', 'composer test -d../x'],
    ['just', 'just -d ~/x build'],
    ['ninja', 'ninja -C ../x'],
    ['tsc', 'tsc -p ../x'],
    ['node', 'node ../x.js'],
    ['bash', 'bash "$HOME/x.sh"'],
    ['git', 'git -C ../x log'],
    ['cat', 'cat ~/.ssh/id_rsa'],
    ['grep', 'grep -r x /home/u/other'],
    ['wc', 'wc -l < ../x'],
    ['sudo node', 'sudo node ../x.js'],
    ['docker run', 'docker run -v /home/u/other:/w:ro alpine'],
    ['docker build', 'docker build ../x'],
  ])('"%s" does not cover %s', (allow, command) => {
    expect(verdict(command, allow)).toBe('ask');
    if (!/[$<~]/.test(command)) expect(verdict(command, `${command} $`)).toBe('allow');
  });

  test.each([
    ['go test', 'go test ./... /home/u/proj/x'],
    ['node', 'node src/../x.js'],
    ['node ../x.js', 'node ../x.js --all'],
    ['grep', 'grep -rn /api/x src'],
    ['sed', "sed -n '/a/p' x"],
    ['docker exec c ls', 'docker exec c ls /app'],
    ['docker run', 'docker run alpine ls /app'],
    ['echo', 'echo ../x /y'],
    ['ls', 'ls > /dev/null'],
  ])('"%s" still covers %s', (allow, command) => {
    expect(verdict(command, allow)).toBe('allow');
  });
});

describe('C10: path rules judge what a path is in truth', () => {
  // In this project src/up leads to its own folder, and src/out to another.
  const links: Readonly<Record<string, string>> = { 'src/up': '/home/u/proj', 'src/out': '/etc' };
  const realPath = (path: string): string => {
    const inside = path.replace('/home/u/proj/', '');
    const link = Object.keys(links).find((name) => inside === name || inside.startsWith(`${name}/`));
    return link === undefined ? path : `${links[link]}${inside.slice(link.length)}`;
  };
  const rules = [rule('allow', { path: 'src/**' }), rule('deny', { path: 'secret/**' }), ...allowed('cat')];
  const edit = (path: string) =>
    judge(pathIntent('write', 'dangerous', path), {
      rules,
      tool: 'edit_file',
      category: 'file',
      context: { ...context, realPath },
    }).verdict;

  test.each([
    ['src/a.ts', 'allow'],
    ['src/up/package.json', 'ask'],
    ['src/up/src/a.ts', 'allow'],
    ['src/out/x', 'ask'],
    ['src/up/secret/x', 'deny'],
    ['src/up/.git/config', 'ask'],
  ])('%s: %s', (path, expected) => {
    expect(edit(path)).toBe(expected);
  });

  test('so do those for what a command writes', () => {
    const line = (command: string) => judge(command, { rules, context: { ...context, realPath } }).verdict;
    expect(line('cat a > src/x')).toBe('allow');
    expect(line('cat a > src/up/x')).toBe('ask');
    expect(line('cat src/up/secret/x')).toBe('deny');
  });
});

describe('C10: a command rule holds in the folder that it means', () => {
  const inFolder = (command: string, folder: string, ...rules: Parameters<typeof rule>[1][]) =>
    judge(
      { ...commandIntent(command), targets: [{ kind: 'command', command, cwd: `${context.project}${folder}` }] },
      { rules: rules.map((match) => rule('allow', match)) },
    );
  const npmTest = { command: ['npm', 'test'] };

  test('one without a path in the project, one with a path there', () => {
    const there = { ...npmTest, path: 'packages/*' };
    expect(inFolder('npm test', '', npmTest).verdict).toBe('allow');
    expect(inFolder('npm test', '/packages/a', npmTest).verdict).toBe('ask');
    expect(inFolder('npm test', '/packages/a', there).verdict).toBe('allow');
    expect(inFolder('npm test', '', there).verdict).toBe('ask');
    expect(inFolder('npm test', '/vendor/a', there).verdict).toBe('ask');
    expect(inFolder('cat a', '/packages/a', { command: ['cat'] }).verdict).toBe('allow');
  });

  test('a change of folder counts, and what is suggested names it', () => {
    const cd = { command: ['cd'] };
    expect(inFolder('cd packages/a && npm test', '', cd, npmTest).verdict).toBe('ask');
    expect(inFolder('cd packages/a && npm test', '', cd, npmTest, { ...npmTest, path: 'packages/a' }).verdict).toBe(
      'allow',
    );
    expect(inFolder('npm test', '/packages/a').suggestions.map(ruleText)).toEqual([
      'allow command npm test, path packages/a',
    ]);
  });
});
