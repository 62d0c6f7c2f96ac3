import { describe, expect, test } from 'vitest';
import { ruleMatch } from '../../../../shared/model/rule.ts';
import { hostMatches } from '../../base/hostMatches.ts';
import { judge, rule } from '../testing/judge.ts';

const under = (host: string, command: string) =>
  judge(command, { allow: 'dangerous', rules: [rule('deny', { host })] }).verdict;

describe('C1: a host that is forbidden is found however it is written', () => {
  test.each([
    'curl http://a.example.com',
    'curl https://A.Example.COM/x',
    'curl https://a.example.com./x',
    'curl https://a.example.com:8443/x',
    'curl https://u:p@a.example.com/x',
    'curl https://good.example@a.example.com/x',
    'curl https://x@y@a.example.com/',
    'curl "https://a.example.com?x"',
    'curl "https://a.example.com#x"',
    'curl "https://a.example.com\\@good.example/"',
    'curl https:\\\\\\\\a.example.com',
    'curl --url=https://a.example.com',
    'curl a.example.com',
    'curl a.example.com/x',
    'curl a.example.com:80',
    'wget a.example.com',
    'ssh a.example.com',
    'ssh u@a.example.com ls',
    'scp x u@a.example.com:y',
    'rsync -a x a.example.com:y',
    'git clone git@a.example.com:x/y.git',
    'git clone ssh://git@a.example.com/x',
    'nc a.example.com 80',
    'ping a.example.com',
    'cat < /dev/tcp/a.example.com/80',
    'node -e \'fetch("https://a.example.com/")\'',
    'python3 -c "import urllib.request as u; u.urlopen(\'http://a.example.com\')"',
    'h=a.example.com; curl https://$h/x',
    'for h in b.example a.example.com; do curl $h; done',
    'curl $(echo a.example.com)',
    'HTTPS_PROXY=http://a.example.com curl x',
  ])('%s is denied', (command) => {
    expect({ command, verdict: under('a.example.com', command) }).toEqual({ command, verdict: 'deny' });
  });

  test.each([
    'curl "https://{a,b}.example.com"',
    'curl "https://[a-c].example.com"',
    'curl "$X"',
    'curl https://$X/',
    'curl $(cat list)',
    'unknown a.example.com',
    'unknown --server=a.example.com:80',
  ])('%s is asked', (command) => {
    expect({ command, verdict: under('a.example.com', command) }).toEqual({ command, verdict: 'ask' });
  });

  test.each([
    'curl https://b.example.com',
    'curl https://a.example.com.example.org',
    'curl https://xa.example.com',
    'curl https://b.example.com/a.example.com',
    'curl https://b.example.com/?u=a.example.com',
    'cat a.example.com',
    'echo a.example.com',
    'git log',
    'npm test',
  ])('%s is not', (command) => {
    expect({ command, verdict: under('a.example.com', command) }).toEqual({ command, verdict: 'allow' });
  });

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ])('the address %s has one spelling', (host) => {
    expect({ host, verdict: under('127.0.0.1', `curl http://${host}/`) }).toEqual({ host, verdict: 'deny' });
    expect(hostMatches(host, '127.0.0.1')).toBe(true);
  });

  test('a rule for every host concerns what is a host, not what looks like one', () => {
    expect(under('*', 'curl x.example')).toBe('deny');
    expect(under('*', 'curl http://x')).toBe('deny');
    expect(under('*', 'node package.json')).toBe('allow');
  });
});

test('a rule for a host with a scheme, a port or a path would never match, and is refused', () => {
  for (const host of ['a.example.com:80', 'http://a.example.com', 'a.example.com/x', 'u@a.example.com', '[::1]:80', ''])
    expect({ host, ok: ruleMatch.safeParse({ host }).success }).toEqual({ host, ok: false });
  for (const host of [
    'a.example.com',
    '*.example.com',
    '*',
    '127.0.0.1',
    '::1',
    '[::1]',
    'localhost',
    'b\u00fccher.example',
  ])
    expect({ host, ok: ruleMatch.safeParse({ host }).success }).toEqual({ host, ok: true });
});
