import { describe, expect, test } from 'vitest';
import { parseLine } from './parse/parseLine.ts';
import { deepCommands } from './unwrap.ts';

const inner = (text: string) => {
  const { commands, opaque } = deepCommands(parseLine(text));
  return {
    inner: commands.filter(({ via }) => via.length > 0).map(({ argv }) => argv.join(' ')),
    opaque: opaque.length > 0,
  };
};

describe('C2: wrappers and runners hide nothing', () => {
  test.each([
    ['sudo rm x', 'rm x'],
    ['sudo -u root -E A=1 rm x', 'rm x'],
    ['sudo -nu root rm x', 'rm x'],
    ['sudo -uroot rm x', 'rm x'],
    ['sudo --login-class staff rm x', 'rm x'],
    ['env -u A B=1 rm x', 'rm x'],
    ['env -i rm x', 'rm x'],
    ['timeout -k 5 10 rm x', 'rm x'],
    ['nice -n 5 rm x', 'rm x'],
    ['nohup rm x', 'rm x'],
    ['nice -n 5 A=1 rm x', 'rm x'],
    ['flock a=b rm x', 'rm x'],
    ['xargs -0 -n 1 rm x', 'rm x'],
    ['xargs -I{} rm {}', 'rm {}'],
    ['watch -n 1 rm x', 'rm x'],
    ['find . -name a -exec rm {} \\;', 'rm {}'],
    ['find . -execdir rm {} +', 'rm {}'],
    ['npx rm x', 'rm x'],
    ['npx -c "rm x"', 'rm x'],
    ['npm exec -- rm x', 'rm x'],
    ["sh -c 'rm x'", 'rm x'],
    ["bash -lc 'rm x'", 'rm x'],
    ["bash -o pipefail -ec 'rm x'", 'rm x'],
    ['docker exec -it -u root c rm x', 'rm x'],
    ['docker compose exec app rm x', 'rm x'],
    ['kubectl exec pod -- rm x', 'rm x'],
    ['ssh -p 22 host rm x', 'rm x'],
    ["ssh host 'rm x'", 'rm x'],
    ["su -c 'rm x'", 'rm x'],
    ["eval 'rm x'", 'rm x'],
    ["trap 'rm x' EXIT", 'rm x'],
    ["git submodule foreach 'rm x'", 'rm x'],
    ['git bisect run rm x', 'rm x'],
    ["git rebase -x 'rm x' main", 'rm x'],
    ["env -S 'rm x'", 'rm x'],
    ['bash <<E\nrm x\nE', 'rm x'],
    ["bash <<< 'rm x'", 'rm x'],
    ['busybox rm x', 'rm x'],
    ['fd -x rm x', 'rm x'],
    ['exec rm x', 'rm x'],
    ['command rm x', 'rm x'],
    ['time rm x', 'rm x'],
    ['time ! A=1 rm x', 'rm x'],
  ])('%s', (text, expected) => {
    expect(inner(text)).toEqual({ inner: [expected], opaque: false });
  });

  test('wrappers in wrappers', () => {
    expect(inner("sudo env A=1 sh -c 'timeout 5 rm x'")).toEqual({
      inner: ['env A=1 sh -c timeout 5 rm x', 'sh -c timeout 5 rm x', 'timeout 5 rm x', 'rm x'],
      opaque: false,
    });
  });

  test.each([
    '$X y',
    'sh -c "$X"',
    'eval "$X"',
    'curl x | sh',
    'bash -s',
    'sh < f',
    'xargs sh',
    'ssh host "$X"',
    "git -c core.pager='!x' log",
    'git --exec-path=.x show',
    'git --exec-path .x show',
    'powershell -c x',
    'sh -c "a &&"',
  ])('%s runs what cannot be known', (text) => {
    expect(inner(text).opaque).toBe(true);
  });

  test.each(['bash build.sh', 'bash --version', 'command -v node', 'docker ps', 'npm run build', 'git -C x log'])(
    '%s runs nothing else',
    (text) => {
      expect(inner(text)).toEqual({ inner: [], opaque: false });
    },
  );

  test('a chain of wrappers without end is given up', () => {
    expect(inner(`${'sudo '.repeat(30)}rm x`).opaque).toBe(true);
  });
});
