import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isProduct } from '../../.setup/layerRules.ts';
import { readSources } from '../../.setup/sources.ts';
import { commands } from './commands.ts';
import { main } from './main.ts';
import { createTestIo } from './testing/testIo.ts';

const root = join(import.meta.dirname, '..', '..');

/** What stands for a value of the person's own in a remedy, or is put in when it is printed. */
const values: readonly (readonly [RegExp, string])[] = [
  [/\$\{(?:\w+|resolved\.value\.name)\}|\{name\}|\bNAME\b/g, 'ollama'],
  [/\bURL\b/g, 'http://127.0.0.1:9/v1'],
  [/\bBINARY\b/g, 'jq'],
];

/** Commands that a text of the product tells somebody to run: `"vise …"`, or behind a colon. Comments are no texts. */
const remedies = [
  ...new Set(
    readSources()
      .filter(isProduct)
      .flatMap(({ text }) => text.split('\n').filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line)))
      .flatMap((line) => [...line.matchAll(/"vise ([a-z]+[^"]*)"|: vise ([a-z]+(?: [\w-]+)*)(?=['`\\])/g)])
      .map(([, quoted, plain = '']) => quoted ?? plain),
  ),
].toSorted();

interface Ran {
  readonly code: number;
  readonly err: string;
}

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vise-remedies-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function vise(words: readonly string[], home: string, env: Readonly<Record<string, string>> = {}) {
  const io = createTestIo(home, 'a-key\n', { VISE_HOME: home, PATH: process.env['PATH'], ...env });
  const code = await main(words, io);
  return { code, ...io.printed };
}

/** These go on until they are ended, or need a session or program of the person's own: only their words are looked at. */
const onlyParsed = /^(?:chat|serve|mcp|exec|bridge register|config --refresh-models|doctor --ask|lane)\b/;

test('the remedies of the product are found', () => {
  expect(remedies.length).toBeGreaterThan(10);
  for (const known of ['sessions list', 'config --provider {name} --api-key-stdin', 'config --init-template'])
    expect(remedies).toContain(known);
});

test.each(remedies)('the remedy vise %s is one that the command line takes', async (remedy) => {
  const [name = '', ...rest] = values.reduce((text, [from, to]) => text.replace(from, to), remedy).split(' ');
  expect(commands.map((command) => command.name)).toContain(name);
  const words = [name, ...rest];
  const ran: Ran = await vise(onlyParsed.test(words.join(' ')) ? [...words, '--help'] : words, tempFolder());
  expect(ran).toMatchObject({ code: 0, err: expect.not.stringMatching(/should not have happened/) as unknown });
});

test.each([
  ['call', 'codebolt fs read --path README.md'],
  ['tool', 'read_file', '--input', '{"filePath": "README.md"}'],
])('the example of vise %s in its refusal runs', async (name, ...words) => {
  const home = tempFolder();
  writeFileSync(join(home, 'README.md'), 'Read me.');
  const refused = await vise([name], home);
  for (const word of words) expect(refused.err).toContain(word);
  expect(await vise([name, ...words], home)).toMatchObject({ code: 0, out: expect.stringContaining('Read me.') });
});

test('each npm command that the product names is there', () => {
  const named = readSources()
    .filter(isProduct)
    .flatMap(({ text }) => [...text.matchAll(/"npm run ([\w:-]+)"/g)].map(([, script]) => script));
  expect(named.length).toBeGreaterThan(0);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts: object };
  expect(named.filter((script = '') => !Object.hasOwn(scripts, script))).toEqual([]);
});

interface Found {
  readonly state: string;
  readonly remedy?: string;
}

/** What the doctor says of the model in a home. */
async function model(home: string, env?: Readonly<Record<string, string>>): Promise<Found | undefined> {
  const { out } = await vise(['doctor', '--json'], home, env);
  return (JSON.parse(out) as readonly (Found & { readonly what: string })[]).find(({ what }) => what === 'model');
}

const own = { llm_provider: 'openai_compatible', llm_base_url: 'http://127.0.0.1:9/v1' };

test.each([
  ['no configuration', undefined],
  ['a provider without a model', { active_provider: 'own', providers: { own } }],
  ['an unknown kind', { active_provider: 'own', providers: { own: { ...own, llm_provider: 'ollma' } } }],
  ['no address', { active_provider: 'own', providers: { own: { ...own, llm_base_url: 'here' } } }],
])('the doctor’s remedy for %s mends it', async (_, config) => {
  const home = tempFolder();
  mkdirSync(join(home, 'config'));
  if (config !== undefined) writeFileSync(join(home, 'config', 'config.json'), JSON.stringify(config));
  const before = await model(home);
  expect(before?.state).not.toBe('works');
  const remedy = [...(before?.remedy ?? '').matchAll(/\bvise (config [^"\n]*--model NAME)/g)][0]?.[1] ?? '';
  expect((await vise(remedy.replace('NAME', 'some-model').split(' '), home)).code).toBe(0);
  expect(await model(home)).toMatchObject({ state: 'works' });
});

test('a broken configuration that was put aside is made anew by the doctor’s remedy', async () => {
  const home = tempFolder();
  const path = join(home, 'config', 'config.json');
  mkdirSync(join(home, 'config'));
  writeFileSync(path, '{');
  expect(await model(home)).toMatchObject({ state: 'broken', remedy: expect.stringContaining('--init-template') });
  rmSync(path);
  expect((await vise(['config', '--init-template'], home)).code).toBe(0);
  expect((await vise(['config', '--provider', 'ollama', '--model', 'm'], home)).code).toBe(0);
  expect(await model(home)).toMatchObject({ state: 'works' });
});

test('what the environment says wrongly is to be mended there', async () => {
  expect(await model(tempFolder(), { LLM_PROVIDER: 'ollma' })).toMatchObject({
    state: 'broken',
    remedy: 'Mend or unset LLM_PROVIDER.',
  });
});

test('what is denied for want of a person runs with the level that the denial names', async () => {
  const home = tempFolder();
  const write = ['tool', 'write_file', '--filePath', 'a.txt', '--content', 'x', '--project', home];
  const denied = await vise(write, home);
  expect(denied.code).toBe(3);
  const level = /--allow (\w+)/.exec(denied.out)?.[1] ?? '';
  expect((await vise([...write, '--allow', level], home)).code).toBe(0);
});
