import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { createProjects } from './projects.ts';

test('where the list cannot be written a project opens all the same; it is kept when it is opened where it can', async () => {
  const folder = testFolder();
  const state = join(folder, 'state');
  const [one = '', two = ''] = ['one', 'two'].map((name) => join(folder, name));
  for (const path of [one, two]) mkdirSync(path);
  writeFileSync(state, ''); // in place of the folder
  const projects = createProjects(join(state, 'projects.json'), systemClock);
  const names = async () => (await projects.list()).map(({ name }) => name);
  expect([await projects.open(one), await projects.open(two)]).toMatchObject([{ ok: true }, { ok: true }]);
  await projects.open(one);
  expect(await names()).toEqual(['one', 'two']);
  rmSync(state);
  await projects.open(two);
  expect(await names()).toEqual(['one', 'two']);
  const later = createProjects(join(state, 'projects.json'), systemClock);
  expect((await later.list()).map(({ name }) => name)).toEqual(['two']);
});
