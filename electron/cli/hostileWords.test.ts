import { expect, test } from 'vitest';
import { sampleSpec } from '../engine/bridge/cliSpec/testing/sampleSpec.ts';
import { testBench } from '../engine/testing/engineForTest.ts';
import { main } from './main.ts';
import { createTestIo } from './testing/testIo.ts';

/** The clipboard, the window's title, a line that is printed over, an eight-bit sequence, and letters turned round. */
const hostile = '\u001B]52;c;aGk=\u0007\u001B]0;owned\u0007\rsafe\u009B2J\u202Egnp.exe';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed
const obeyed = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

async function printed(bench: ReturnType<typeof testBench>, ...words: readonly string[]) {
  const io = createTestIo(bench.project, '', bench.ports.env);
  await main(words, io);
  return io.printed;
}

test('C8: lists of specs, sessions, tools, rules, storage and settings print nothing of a project or a model that a terminal obeys', async () => {
  const spec = JSON.stringify(sampleSpec({ name: `evil${hostile}`, description: hostile }));
  const rules = JSON.stringify({ rules: [{ effect: 'deny', match: { path: `x${hostile}` } }] });
  const bench = testBench({
    [`.cli-bridge/evil${hostile.replaceAll(/[\r\u0007]/g, '')}/1.0.0.json`]: spec,
    '.cli-bridge/broken/1.0.0.json': `{"name": "${hostile}`,
    '.vise/rules.json': rules,
    '.vise/settings.json': JSON.stringify({
      [`evil${hostile}`]: 1,
      shell: { [hostile]: 2 },
      git: { protectedBranches: [hostile] },
    }),
  });
  const session = await bench.session([{ text: 'Done.' }]);
  await session.say(`Mend ${hostile}`);
  await bench.client.call('session.rename', { session: session.id, title: `Title ${hostile}` });
  for (const words of [
    ['bridge', 'list'],
    ['bridge', 'list', '--json'],
    ['sessions', 'list'],
    ['sessions', 'list', '--json'],
    ['sessions', 'show', session.id, '--json'],
    ['sessions', 'replay', session.id],
    ['sessions', hostile],
    ['tool', hostile],
    ['doctor'],
    ['storage'],
    ['storage', '--json'],
    ['storage', hostile],
    ['config', '--show'],
    ['config', '--resolved'],
    ['config', '--provider', hostile],
  ]) {
    const { out, err } = await printed(bench, ...words);
    expect([words, out + err]).toEqual([words, expect.not.stringMatching(obeyed)]);
    expect(`${out}${err}`.length).toBeGreaterThan(10);
  }
  const [listed] = JSON.parse((await printed(bench, 'sessions', 'list', '--json')).out) as { title: string }[];
  expect(listed?.title).toContain('gnp.exe');
});

test('C8: an export into a file is the text itself; its title, tools and notices are plain words', async () => {
  const bench = testBench({});
  const title = '</summary><img src=x> [a](javascript:x) `b` # c';
  const session = await bench.session([
    { calls: [{ tool: `x<img src=x onerror=y>${hostile}`, input: {} }] },
    { text: 'Done.' },
  ]);
  await session.say('go');
  await bench.client.call('session.rename', { session: session.id, title });
  const { out } = await printed(bench, 'sessions', 'export', session.id);
  expect(out).toContain('&lt;/summary&gt;&lt;img src=x&gt; \\[a\\](javascript:x) \\`b\\` \\# c');
  expect(out.split('```')[0]).not.toMatch(/<img|[^\\]\]\(/);
  expect(out.split('```')[0]).not.toMatch(obeyed);
});

test.skipIf(process.platform !== 'linux')(
  'C9: doctor tries the sandbox and says whether it is on (Linux)',
  async () => {
    const bench = testBench({});
    const { out } = await printed(bench, 'doctor', '--json');
    const found = (JSON.parse(out) as { what: string; detail: string }[]).find(
      ({ what }) => what === 'command sandbox',
    );
    expect(found?.detail).toMatch(/tried.*writes only the project.*off|cannot be confined|does not work here/);
  },
);
