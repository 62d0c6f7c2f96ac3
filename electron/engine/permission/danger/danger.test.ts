import { describe, expect, test } from 'vitest';
import { parseLine } from '../../shell/parse/parseLine.ts';
import { placed } from '../../shell/placedLine.ts';
import { corpus, whyMissing } from '../../shell/testing/corpus.ts';
import { protectedPath } from '../testing/judge.ts';
import { findDanger } from './danger.ts';

const around = { cwd: '/home/u/proj', home: '/home/u' };
const dangerOf = (command: string) => findDanger(placed(parseLine(command), around), protectedPath);

describe('C4: what takes everything with it is red', () => {
  test.each([
    ...['rm -rf /', 'rm -rf ~', 'rm -rf .', 'rm -rf ..', 'rm -rf "$X"/*', 'rm "$X"/*', 'rm -rf *', 'rm -rf ./*'],
    ...[
      'rm -rf ~/*',
      'rm -rf $HOME',
      'rm -rf "${HOME}"/',
      'rm -r -- /',
      'rm -rf //',
      'rm -rf /.',
      'rm -rf /*',
      'rm -rf /etc',
    ],
    ...[
      'rm -rf {/,x}',
      'rm -rf $X',
      'rm -rf ../../..',
      'rm -rf /home/u/proj',
      'rm -rf /home',
      'rm --recursive --force ~/',
    ],
    // spelled otherwise
    ...['\\rm -rf /', 'r\\m -rf /', '\'rm\' -rf "/"', "$'rm' -rf /", '/bin/rm -rf /', 'X=1 rm -rf /', 'rm \\\n-rf /'],
    // behind wrappers
    ...['sudo -u root rm -rf /', 'env A=1 rm -rf /', 'timeout 5 rm -rf /', 'nice -n 5 rm -rf /', 'nohup rm -rf / &'],
    ...[
      'xargs rm -rf /',
      'watch rm -rf /',
      'npx rm -rf /',
      "sh -c 'rm -rf /'",
      'docker exec c rm -rf /',
      'ssh h rm -rf /',
    ],
    ...['exec rm -rf /', 'command rm -rf /', 'eval "rm -rf /"', 'trap "rm -rf /" EXIT', 'bash <<E\nrm -rf /\nE'],
    ...["git -c alias.x='!rm -rf /' x", 'unknown --with options rm -rf /'],
    // somewhere in the line
    ...[
      'echo $(rm -rf /)',
      'f() { rm -rf /; }',
      'if true; then rm -rf ~/; fi',
      'cat <<E\n$(rm -rf /)\nE',
      'cd / && rm -rf .',
    ],
    ...['cd /home && rm -rf u', 'for f in *; do rm -rf "$f"; done'],
    // others
    ...['find / -delete', 'find . -delete', 'find', 'find ~ -name x -delete', 'find . -exec rm -rf {} +'].filter(
      (c) => c !== 'find',
    ),
    ...['mkfs.ext4 /dev/sda1', 'dd if=/dev/zero of=/dev/sda', 'echo x > /dev/sda', ':(){ :|:& };:', 'chmod -R 777 /'],
    ...['rm -rf ~root', 'npx rimraf /', 'truncate -s 0 *', 'rsync -a --delete empty/ ./', 'rsync -a --delete empty/ /'],
    ...[`python3 -c "import shutil; shutil.rmtree('/')"`, `node -e 'fs.rmSync("/", { recursive: true })'`],
    ...['{rm,-rf,/}', 'rm$IFS-rf$IFS/', 'rm${IFS}-rf${IFS}~', 'source <(echo "rm -rf /")', '. <(printf "rm -rf ~")'],
    ...['find . -type f -delete', 'git -c clean.requireForce=false clean -dx', 'npx del-cli .', 'tar cf /dev/sda .'],
    ...['sgdisk -Z /dev/sda', 'parted /dev/sda mklabel gpt', `ruby -e 'FileUtils.rm_rf("/")'`],
    ...['chown -R u ~', 'mv ~ /tmp/x', 'git clean -fdx', 'git clean -xf .', 'sudo reboot'],
  ])('%s', (command) => {
    expect(dangerOf(command).red).not.toEqual([]);
  });

  test.each([
    ...[
      'rm -rf node_modules',
      'rm README.md',
      'rm -rf ./dist/*',
      'rm -rf build/*.o',
      'rm -rf "$X"/node_modules',
      'rm *.log',
    ],
    ...['rm -rf /home/u/proj/dist', 'rm -f $f', 'rm -f /tmp/x/y', 'rm -rf src/*', 'find . -name "*.o" -delete'],
    ...[
      "find . -type f -name '*.o' -exec rm {} +",
      'git clean -ndx',
      'git clean -fd src',
      'dd if=a of=b',
      'echo rm -rf /',
      'ls /',
    ],
    ...[
      'grep "rm -rf /" x',
      'git commit -m "rm -rf /"',
      'mv a b',
      'chmod -R 755 src',
      'cat f > out.txt',
      'make clean',
      'cd /',
      'rsync -a src/ out/',
      'rsync -a --delete src/ out/',
      'truncate -s 0 a.log',
      `node -e 'fs.rmSync("dist", { recursive: true })'`,
    ],
    ...['f() { ls; }; f | f', 'echo x > /dev/null', 'npm run rm /'],
  ])('%s is not', (command) => {
    expect(dangerOf(command)).toEqual({ red: [], always: [], beyond: [] });
  });

  interface SafetyRow {
    readonly fn: string;
    readonly argv: readonly string[];
  }
  const rows = corpus<SafetyRow>('shell/codex-command-safety.jsonl').filter(
    ({ fn }) => fn === 'command_might_be_dangerous',
  );
  /** The data calls every forced removal dangerous; here the target decides, so each is tried with a target of C4. */
  test.skipIf(whyMissing)(`forced removals behind options of sudo${whyMissing}`, () => {
    expect(rows).toHaveLength(12);
    for (const { argv } of rows) {
      const line = argv.map((word) => (word === 'target' ? '/' : word)).join(' ');
      expect({ line, red: dangerOf(line).red }).toEqual({ line, red: ['deletes everything (/)'] });
    }
  });
});

describe('P12: writes to protected places by commands', () => {
  test.each([
    ...[
      'echo x > .git/config',
      'echo x >> ~/.bashrc',
      'tee .git/hooks/pre-commit',
      'cp x .git/hooks/',
      'cp a/.envrc .',
    ],
    ...['mv x .github/workflows/ci.yml', 'sed -i s/a/b/ .vise/rules.json', 'git config core.pager x', 'rm .git/index'],
    ...[
      'git config --global alias.x "!y"',
      'git -C sub config a b',
      'cd .git && echo x > config',
      'chmod +x .git/hooks/a',
    ],
    ...[
      'sudo tee /etc/x .vscode/tasks.json',
      'ln -s x .husky/pre-commit',
      'curl -o .git/hooks/x u',
      'curl -o.git/hooks/x u',
    ],
    ...[
      'echo > .g*/config',
      'echo > .{git,x}/config',
      'dd if=x of=.git/config',
      'git rm .gitlab-ci.yml',
      'touch "$X"/.bashrc',
    ],
    ...[
      'sort -o .git/config x',
      'cat <<E > .envrc\nE',
      'bash -c "echo > .git/config"',
      'cp -t .git/hooks x',
      'wget -O .git/x u',
    ],
    ...[
      'echo x > ./a/../.git/config',
      'echo x > /home/u/proj/.git/config',
      'mkdir -p .cli-bridge/specs',
      '> .git/config',
    ],
    ...['while a; do b; done > .git/config', 'find . -exec tee .git/config \\;', 'crontab x'],
    ...[`python -c "open('.git/hooks/x', 'w')"`, `node -e "fs.writeFileSync('.git/config', '')"`],
  ])('%s', (command) => {
    expect(dangerOf(command).always).not.toEqual([]);
  });

  test.each([
    ...['git config --get a.b', 'git config --list', 'git config user.name', 'git add .github/workflows/ci.yml'],
    ...[
      'cat .git/config',
      'cp .env.example .env',
      'git commit -am "edit .bashrc"',
      'git checkout main',
      'echo .git/config',
    ],
    ...['npm test > out.txt', 'find . -exec cat {} +'],
  ])('%s is not one', (command) => {
    expect(dangerOf(command)).toEqual({ red: [], always: [], beyond: [] });
  });
});

test.each([
  ...['npm config set script-shell ./x', 'npm set script-shell ./x', 'pnpm config set --location project a b'],
  ...['yarn config set yarnPath x', 'pip3 config set global.index-url x', 'go env -w GOFLAGS=-toolexec=./x'],
  ...['systemctl --user enable x', 'launchctl load x', 'at now -f x', 'code --install-extension x', 'claude mcp add x'],
  ...[
    'npx husky init',
    'pre-commit install',
    'lefthook install',
    'git lfs install',
    'git maintenance start',
    'direnv allow',
  ],
])('P12: a program that writes settings or hooks which name programs is asked: %s', (command) => {
  expect(dangerOf(command).always).not.toEqual([]);
});

test.each([
  ...['npm config get registry', 'npm config ls', 'npm ci', 'pip config list', 'go env GOPATH', 'go test ./...'],
  ...[
    'systemctl status x',
    'yarn config get x',
    'pre-commit run',
    'git lfs pull',
    'code .',
    'fdisk -l',
    'find . -name x -delete',
  ],
  ...['tar xf a.tar', 'tar tf /dev/sr0', 'tar czf a.tgz src'],
])('what only looks at such settings, or uses them, is not: %s', (command) => {
  expect(dangerOf(command)).toEqual({ red: [], always: [], beyond: [] });
});

describe('J5: what is too much to follow is asked', () => {
  test('many words, many folders', () => {
    expect(dangerOf(`x ${'rm '.repeat(3_000)}`).always).toContain('has more words than can be followed');
    expect(dangerOf(`x ${'mv '.repeat(16)} rm -rf /`).always).toEqual(['names more programs than can be followed']);
    expect(dangerOf(`${'cd a; '.repeat(9)} ls`).always).toEqual(['changes the folder more often than can be followed']);
    expect(dangerOf(`${'cd a; '.repeat(8)} ls`).always).toEqual([]);
  });
});
