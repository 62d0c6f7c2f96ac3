import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isProduct } from '../.setup/layerRules.ts';
import { readSources } from '../.setup/sources.ts';
import { defaultSettings } from '../shared/model/settings.ts';

/** The product's sources but those that only declare: schemas of settings and facts, and the words of the window. */
const sources = readSources()
  .filter(isProduct)
  .filter(({ path }) => !/^shared\/model\/(settings|event|reduce)|^renderer\/words\//.test(path));
const all = sources
  .flatMap(({ text }) => text.split('\n'))
  .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line))
  .join('\n');
const engine = sources.flatMap(({ path, text }) => (path.startsWith('electron/engine/') ? text : [])).join('\n');

/** The settings of each group; `theme` and its like are groups of their own. */
const settings = Object.entries(defaultSettings).flatMap(([group, value]: [string, unknown]) =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [group],
);

test('each setting is read by somebody', () => {
  expect(settings.length).toBeGreaterThan(20);
  // As a property, by its name in quotes, or taken out of its group: a word of a comment or a text reads nothing.
  const isRead = (setting: string): boolean =>
    new RegExp(`\\.${setting}\\b|'${setting}'|\\[\\w.]*${setting}\\]|[{,]\\s*${setting}\\s*[,}:=]`).test(all);
  expect(settings.filter((setting) => !isRead(setting))).toEqual([]);
});

test('each kind of fact is emitted by somebody', () => {
  const declared =
    readFileSync(join(dirname(import.meta.dirname), 'shared/model/event.ts'), 'utf8').split('const facts = {')[1] ?? '';
  const types = [...(declared.split('\n};')[0] ?? '').matchAll(/^ {2}'?([a-z]+(?:\.[a-zA-Z]+)?)'?:/gm)].map(
    ([, type]) => type,
  );
  expect(types.length).toBeGreaterThan(20);
  // Named other than to compare with it.
  const isEmitted = (type = ''): boolean =>
    new RegExp(`(?<!(?:case|===|!==) )'${type}'`).test(engine) || engine.includes(`type: \`${type.split('.')[0]}.\${`);
  expect(types.filter((type) => !isEmitted(type))).toEqual([]);
});
