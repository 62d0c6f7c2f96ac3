import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { settingsSchema } from '../../shared/model/settings.ts';
import { readRules } from '../engine/permission/rules/rulesFile.ts';
import { commonFlags } from './base/helpPages.ts';
import { parseFlags } from './base/parseFlags.ts';
import { commands } from './commands.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The fenced blocks of a language; '' is one without a name. */
function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, name, body = '']) =>
    name === language ? [body] : [],
  );
}

/** The words of a shell line up to its comment, pipe or redirection; quotes hold together. */
function wordsOf(line: string): readonly string[] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const end = words.findIndex((word) => /^(?:#|\||>)/.test(word));
  return end < 0 ? words : words.slice(0, end);
}

describe('what the pages show', () => {
  test('links lead to files that are there', () => {
    const dead = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(root, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  test('each file and folder that a recipe names is there', () => {
    const { text = '' } = pages.find(({ path }) => path === 'AGENTS.md') ?? {};
    const recipes = text.slice(text.indexOf('## Add a'), text.indexOf('## Rules'));
    const named = [...recipes.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].flatMap(([, path = '']) =>
      /[A-Z]{4}/.test(path) ? [] : [path],
    );
    expect(named.length).toBeGreaterThan(15);
    const bases = ['', 'electron/engine', 'e2e', 'bench'];
    expect(named.filter((path) => !bases.some((base) => existsSync(join(root, base, path))))).toEqual([]);
  });

  test('links to a heading lead to one that is there', () => {
    const headings = (path: string): readonly string[] =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      );
    const links = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].map(([, target = '', heading = '']) => ({
        path,
        to: target === '' ? path : join(dirname(path), target),
        heading,
      })),
    );
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(({ to, heading }) => !headings(to).includes(heading))).toEqual([]);
  });

  test('no page is long, and those that a visitor begins with have a picture', () => {
    expect(pages.filter(({ text }) => text.split('\n').length > 230).map(({ path }) => path)).toEqual([]);
    const first = [
      'README.md',
      ...['start', 'guide', 'commands', 'data', 'trouble', 'desktop'].map((name) => `docs/${name}.md`),
    ];
    const bare = pages.filter(
      ({ path, text }) => first.includes(path) && !/!\[[^\]]+\]\([^)]+\.(?:svg|png)\)/.test(text),
    );
    expect(bare.map(({ path }) => path)).toEqual([]);
  });

  test('each line that begins with vise is one that the command line takes', () => {
    const lines = pages.flatMap(({ path, text }) =>
      [...blocksOf(text, 'sh'), ...blocksOf(text, '')]
        .flatMap((block) => block.split('\n'))
        .filter((line) => /^(?:vise|node out\/cli\.js) /.test(line))
        .map((line) => ({ path, words: wordsOf(line.replace(/^node out\/cli\.js/, 'vise')) })),
    );
    expect(lines.length).toBeGreaterThan(15);
    const wrong = lines.flatMap(({ path, words: [, name = '', ...rest] }) => {
      const command = commands.find((one) => one.name === name);
      // The inputs of a tool are flags too, which the command itself looks at.
      const parsed = name === 'tool' ? undefined : parseFlags(rest, command?.flags ?? []);
      if (command && (parsed === undefined || parsed.ok)) return [];
      return [`${path}: vise ${name} ${rest.join(' ')}: ${parsed && !parsed.ok ? parsed.error : 'no such command'}`];
    });
    expect(wrong).toEqual([]);
  });

  test('each command within a sentence is one that the command line takes', () => {
    const inline = pages.flatMap(({ path, text }) =>
      [...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`(?:[\w ]+\| )?vise ([a-z][^`]*)`/g)]
        .map(([, line = '']) => line)
        // A synopsis of several.
        .filter((line) => !/[|[\]…<(]|^open\b/.test(line))
        .map((line) => ({ path, line, words: wordsOf(line) })),
    );
    expect(inline.length).toBeGreaterThan(30);
    const wrong = inline.flatMap(({ path, line, words: [name = '', ...rest] }) => {
      const command = commands.find((one) => one.name === name);
      const known = [...(command?.flags ?? []), ...commonFlags];
      const isKnown = command !== undefined && (name === 'tool' || parseFlags(rest, known).ok);
      return isKnown || ['version', 'help'].includes(name) ? [] : [`${path}: vise ${line}`];
    });
    expect(wrong).toEqual([]);
  });

  test('each npm script that a page names is there', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts: object };
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g)].map(([, run, own]) => ({
        path,
        script: run ?? own ?? '',
      })),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  test('the table of the README names every command, and flags that they have', () => {
    const rows = [...(pages[0]?.text ?? '').matchAll(/^\| `vise (.*?)` \|/gm)].map(([, row = '']) => row);
    const named = rows.map((row) => /^\[?(\w+)/.exec(row)?.[1] ?? '');
    expect(named.filter((name) => name !== 'version').toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
    const wrong = rows.flatMap((row, at) => {
      const flags = commands.find(({ name }) => name === named[at])?.flags.map(({ name }) => name) ?? [];
      return [...row.matchAll(/--([a-z-]+)/g)]
        .filter(([, flag = '']) => !flags.includes(flag) && !['param', 'path'].includes(flag))
        .map(([flag]) => `${named[at]} ${flag}`);
    });
    expect(wrong).toEqual([]);
  });

  test('JSON can be read; settings and rules in it fit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vise-pages-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const seen = { settings: 0, rules: 0 };
    for (const block of pages.flatMap(({ text }) => blocksOf(text, 'json'))) {
      const { settings, rules } = JSON.parse(block) as { readonly settings?: object; readonly rules?: object };
      if (settings !== undefined) {
        seen.settings += 1;
        expect(settingsSchema.parse(settings)).toMatchObject(settings);
      }
      if (rules !== undefined) {
        seen.rules += 1;
        const path = join(folder, 'rules.json');
        writeFileSync(path, block);
        expect(readRules(path, 'user')).toMatchObject({ ok: true });
      }
    }
    expect(seen).toEqual({ settings: 1, rules: 1 });
  });
});
