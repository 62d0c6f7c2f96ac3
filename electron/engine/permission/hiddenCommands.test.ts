import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLine } from '../shell/parse/parseLine.ts';
import { isReadOnly } from '../shell/readOnly.ts';
import { allowed, judge, rule } from './testing/judge.ts';

/** Lines that run a command which stands in a word of theirs; `CMD` is that command. */
const forms: readonly string[] = [
  "psql -c '\\! CMD'",
  "sqlite3 a '.shell CMD'",
  // programs of their own languages
  "sed -n '1e CMD' a",
  "sed -e p -e '$e CMD' a",
  "sed '/x/,/y/!{;1e CMD\n}' a",
  "sed 's/.*/CMD/e' a",
  "sed --expression='1e CMD' a",
  "gsed -ne'1e CMD' a",
  'awk \'BEGIN { system("CMD") }\'',
  'awk -F: -v a=b \'{ "CMD" | getline x }\' f',
  'gawk \'{ print | "CMD" }\' f',
  'mawk \'{ print |& "CMD" }\' f',
  'ex a <<E\n!CMD\nE',
  'ed a <<E\n1p\n!CMD\nE',
  // options
  'tar -cf a b --checkpoint=1 --checkpoint-action=exec="CMD"',
  'tar -xf a --to-command="CMD"',
  'tar -xf a --to-comm="CMD"',
  'tar -xf a --use-compress-program "CMD"',
  "tar -I 'CMD' -xf a",
  "tar -xvI'CMD' -f a",
  "tar -F 'CMD' -xf a",
  "rsync -e 'CMD' a h:b",
  "rsync -ave'CMD' a h:b",
  'rsync --rsh="CMD" a h:b',
  "ssh -o ProxyCommand='CMD' h",
  "ssh -oProxyCommand='CMD' h",
  "ssh -o 'LocalCommand CMD' h",
  "scp -o proxycommand='CMD' a h:",
  "sort --compress-program='CMD' a",
  "split --filter='CMD' a",
  "man -P 'CMD' x",
  'man --pager="CMD" x',
  "less '+!CMD' a",
  "vim -c ':!CMD' a",
  "vim '+:!CMD' a",
  "nvim --cmd 'silent !CMD' a",
  "ex -c '!CMD' a",
  "rg --pre='CMD' x",
  "rg --pre 'CMD' x",
  "ag --pager 'CMD' x",
  "bat --pager='CMD' x",
  "zip a b -T -TT 'CMD'",
  "tcpdump -z 'CMD' -r a",
  "ncat --sh-exec 'CMD' h 1",
  "nc -e 'CMD' h 1",
  "socat - EXEC:'CMD'",
  "fzf --preview 'CMD'",
  "nodemon --exec 'CMD'",
  "gdb -ex 'shell CMD' a",
  "make SHELL='CMD' x",
  "make CC='CMD ;' x",
  'make -f - <<E\na:\n\tCMD\nE',
  // git
  "git -c core.pager='CMD' log",
  "git -c alias.x='!CMD' x",
  "git -c core.sshCommand='CMD' fetch",
  "git -c diff.external='CMD' diff",
  "git grep -O'CMD' x",
  "git grep --open-files-in-pager='CMD' x",
  "git fetch --upload-pack='CMD' x",
  "git clone -u 'CMD' x",
  "git ls-remote --upload-pack 'CMD' x",
  "git push --receive-pack='CMD' x",
  "git archive --exec='CMD' --remote=x HEAD",
  "git difftool -x 'CMD'",
  "git clone 'ext::CMD' x",
  "git rebase --exec 'CMD' main",
  "git submodule foreach 'CMD'",
  // runners
  'find . -exec CMD \\;',
  'find . -okdir CMD +',
  'fd -x CMD',
  'xargs CMD',
  'xargs -a f CMD',
  "xargs -I{} sh -c 'CMD'",
  'parallel CMD',
  "env -S 'CMD'",
  'env -u A B=c CMD',
  'nice -n 5 CMD',
  'nohup CMD',
  'timeout -k 5 60 CMD',
  'stdbuf -oL CMD',
  'setsid CMD',
  'ionice -c 3 CMD',
  'chrt -f 5 CMD',
  'taskset 1 CMD',
  'time -p CMD',
  'command CMD',
  'builtin CMD',
  'exec CMD',
  "eval 'CMD'",
  'sudo -u x CMD',
  'doas CMD',
  "su -c 'CMD'",
  'busybox CMD',
  "watch 'CMD'",
  "flock a -c 'CMD'",
  "script -qc 'CMD' a",
  "trap 'CMD' EXIT",
  "npx -c 'CMD'",
  "pnpm exec sh -c 'CMD'",
  "docker exec c sh -c 'CMD'",
  // places of the grammar
  'echo "$(CMD)"',
  'echo `CMD`',
  'cat <(CMD)',
  'ls > >(CMD)',
  'echo "${x:-$(CMD)}"',
  'echo $((1 + $(CMD)))',
  '[ -n "$(CMD)" ]',
  '[[ -n $(CMD) ]]',
  'case x in x) CMD;; esac',
  'case x in y) ls;;& x) CMD;; esac',
  'select x in a; do CMD; done',
  'function f { CMD; }; f',
  'f() (CMD); f',
  'if ! CMD; then ls; fi',
  'ls |& CMD',
  'ls &> /dev/null; CMD',
  'cat <<E\n$(CMD)\nE',
  'cat <<< "$(CMD)"',
  'ls # x\nCMD',
  'ls \\\n&& CMD',
  "bash -c 'CMD'",
  'bash <<E\nCMD\nE',
  "bash <<< 'CMD'",
];

/** Lines that hold the command as a text that something may run. */
const texts: readonly string[] = [
  'python3 -c \'import os; os.system("CMD")\'',
  'node -e \'require(`child_process`).execSync("CMD")\'',
  "perl -e 'system(qq(CMD))'",
  'ruby -e \'exec "CMD"\'',
  'php -r \'passthru("CMD");\'',
  'lua -e \'os.execute("CMD")\'',
  "unknown --hook='CMD'",
  "unknown --hook 'CMD'",
  "hyperfine 'CMD'",
  "tmux new -d 'CMD'",
  "GIT_SSH_COMMAND='CMD' git fetch",
  "export PAGER='CMD'; man x",
  "echo 'CMD' | sh",
  'cat <<E | bash\nCMD\nE',
  'python3 <<E\nimport os\nos.system("CMD")\nE',
];

const filled = (form: string, command: string): string => form.replace('CMD', () => command);

describe('C1, C2: what a word holds is looked into', () => {
  const deny = rule('deny', { command: ['git', 'push', '--force'] });
  const everything = { allow: 'dangerous', rules: [rule('allow', { tool: 'run' }), deny] } as const;

  test.each(forms)('a deny rule finds the command in %j', (form) => {
    const line = filled(form, 'git push -f');
    expect(parseLine(line).unparsable).toBeUndefined();
    expect({ line, allowed: judge(line, everything).verdict === 'allow' }).toEqual({ line, allowed: false });
    const harmless = filled(form, 'git fetch -f');
    expect(judge(harmless, everything).why.join()).not.toContain('forbids it');
  });

  test.each(texts)('a deny rule asks about the text in %j', (form) => {
    const line = filled(form, 'git push -f');
    expect({ line, verdict: judge(line, everything).verdict }).toEqual({ line, verdict: 'ask' });
  });

  test.each(forms)('a rule for the program alone does not allow what it runs in %j', (form) => {
    const line = filled(form, 'evil x');
    const programs = [
      ...new Set(
        parseLine(line)
          .commands.map(({ argv }) => argv[0] ?? '')
          .filter((name) => name !== ''),
      ),
    ];
    const rules = allowed(...programs.filter((name) => name !== 'evil'), 'cat', 'ls', 'echo', 'true');
    expect({ line, verdict: judge(line, { rules }).verdict }).toEqual({ line, verdict: 'ask' });
    expect(isReadOnly(line)).toBe(false);
  });
});

describe('C4: what a word holds is red', () => {
  test.each([...forms, ...texts])('%j', (form) => {
    const line = filled(form, form.includes("'s/.*/") ? 'rm -rf ~' : 'rm -rf /');
    expect({ line, severe: judge(line, { allow: 'dangerous' }).severe }).toEqual({ line, severe: true });
  });
});

describe('P12: what a word holds writes a protected place', () => {
  // A regular expression cannot hold the slash.
  test.each(forms.filter((form) => !form.includes("'s/.*/")))('%j', (form) => {
    const line = filled(form, 'tee .git/config');
    expect({ line, verdict: judge(line, { allow: 'dangerous' }).verdict }).toEqual({ line, verdict: 'ask' });
  });

  test.each([
    "sed -n 'w .git/config' a",
    "sed 's/a/b/w .git/config' a",
    "sed '/x/W .git/config' a",
    'awk \'{ print > ".git/config" }\' a',
    'awk \'{ printf "%s", $1 >> ".git/config" }\' a',
    'ed a <<E\nw .git/config\nE',
  ])('%j', (line) => {
    expect({ line, verdict: judge(line, { allow: 'dangerous' }).verdict }).toEqual({ line, verdict: 'ask' });
  });
});

test.each([
  ["sed -n '1,20p' a", 'sed -n'],
  ["sed -i 's/e/w/g' a", 'sed -i'],
  ["sed 's/a/b/g;s/c/d/' a", 'sed'],
  ["awk -F, '{ print $1 }' a", 'awk'],
  ["awk '$1 > 5 && $2 || $3' a", 'awk'],
  ['tar -xzf a.tgz -C out', 'tar'],
  ['tar czf a.tgz src', 'tar'],
  ['rsync -av a b', 'rsync'],
  ['git fetch origin', 'git fetch'],
  ['git push -u origin main', 'git push'],
  ['git grep -n x', 'git grep'],
  ['make -j4 DEBUG=1 test', 'make'],
  ['sort -t: -k2 a', 'sort'],
  ['vim a', 'vim'],
  ['less +F a', 'less'],
  ['ssh -o BatchMode=yes h uptime', 'ssh -o BatchMode=yes h uptime'],
])('what runs nothing stays covered by its rule: %s', (line, allow) => {
  expect(judge(line, { rules: allowed(allow) }).verdict).toBe('allow');
});

test('what names a command only as a message is no such command', () => {
  const rules = [rule('deny', { command: ['git', 'push'] })];
  for (const line of [
    'git commit -m "never rm -rf / nor git push"',
    'gh pr create --title "no more git push" --body "rm -rf /"',
    'grep -rn "git push" .',
    'echo "rm -rf / and git push"',
  ])
    expect({ line, ...judge(line, { rules, allow: 'dangerous' }) }).toMatchObject({ line, verdict: 'allow' });
});

const wrappers = fc.constantFrom<(line: string) => string>(
  (line) => `sudo ${line}`,
  (line) => `env A=b ${line}`,
  (line) => `timeout 5 ${line}`,
  (line) => `nice -n 3 ${line}`,
  (line) => `nohup ${line}`,
  (line) => `xargs ${line}`,
  (line) => `find . -exec ${line} +`,
  (line) => `busybox ${line}`,
  (line) => `command ${line}`,
  (line) => `stdbuf -o L ${line}`,
);

const scripts = fc.constantFrom<(line: string) => string>(
  (line) => `sh -c ${quoted(line)}`,
  (line) => `bash -lc ${quoted(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `env -S ${quoted(line)}`,
  (line) => `su -c ${quoted(line)}`,
  (line) => `git -c alias.x=${quoted(`!${line}`)} x`,
  (line) => `tar -xf a --to-command=${quoted(line)}`,
  (line) => `rsync -e ${quoted(line)} a b`,
  (line) => `watch ${quoted(line)}`,
  (line) => `echo "$(${line})"`,
  (line) => `if true; then ${line}; fi`,
  (line) => `true && ${line} || true`,
  (line) => `cat <(${line})`,
);

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const spelled = fc.constantFrom<string>(
  'git push -f',
  'git push --force',
  'git push origin +x',
  "g'i't push -f",
  'git "push" -f',
  'git pu\\sh -f',
  '/usr/bin/git push -f',
  'git -C a push -f',
);

test('C2: a denied command in any chain of runners, however it is quoted, is never allowed', () => {
  const chain = fc.tuple(spelled, fc.array(wrappers, { maxLength: 3 }), fc.array(scripts, { maxLength: 2 }));
  const rules = [rule('allow', { tool: 'run' }), rule('deny', { command: ['git', 'push', '--force'] })];
  fc.assert(
    fc.property(chain, ([line, around, outside]) => {
      const wrapped = around.reduce<string>((text, wrap) => wrap(text), line);
      const whole = outside.reduce<string>((text, wrap) => wrap(text), wrapped);
      expect({ whole, verdict: judge(whole, { rules, allow: 'dangerous' }).verdict }).not.toEqual({
        whole,
        verdict: 'allow',
      });
    }),
    { numRuns: 500 },
  );
});

test('C4: a hard limit holds in any chain of runners, however it is quoted', () => {
  const target = fc.constantFrom<string>(
    'rm -rf /',
    "r'm' -rf ~",
    '\\rm -fr "/"',
    '/bin/rm -r -f -- /',
    'rm -rf "$HOME"',
  );
  const chain = fc.tuple(target, fc.array(wrappers, { maxLength: 3 }), fc.array(scripts, { maxLength: 2 }));
  fc.assert(
    fc.property(chain, ([line, around, outside]) => {
      const wrapped = around.reduce<string>((text, wrap) => wrap(text), line);
      const whole = outside.reduce<string>((text, wrap) => wrap(text), wrapped);
      expect({ whole, verdict: judge(whole, { allow: 'dangerous' }).verdict }).toEqual({ whole, verdict: 'ask' });
    }),
    { numRuns: 500 },
  );
});
