import { expect, test } from 'vitest';
import { checkLayers } from '../.setup/layerRules.ts';
import { readSources } from '../.setup/sources.ts';

const report = checkLayers(readSources());

test('the whole house was looked at', () => {
  expect(report.files).toBeGreaterThan(100);
  expect(report.imports).toBeGreaterThan(report.files);
});

test('each file imports only from its floor and below', () => expect(report.floors).toEqual([]));

test('the rooms of the engine and the floors of the window keep their order', () => expect(report.rooms).toEqual([]));

test('heavy, native and host packages stay in their places', () => expect(report.packages).toEqual([]));

test('there are no circles, type imports included', () => expect(report.circles).toEqual([]));

test('there are no default exports', () => expect(report.defaultExports).toEqual([]));

test('there are no barrels', () => expect(report.barrels).toEqual([]));

test('there are no circles between folders', () => expect(report.folderCircles).toEqual([]));

const none = {
  floors: [],
  rooms: [],
  packages: [],
  circles: [],
  folderCircles: [],
  defaultExports: [],
  barrels: [],
};

const session = 'electron/engine/session/a.ts';

test.each<[string, Readonly<Record<string, string>>, object]>([
  [
    'a type import upwards',
    { 'shared/a.ts': "import type { A } from '../electron/engine/base/a.ts';" },
    {
      floors: ['shared/a.ts (floor shared) imports electron/engine/base/a.ts'],
    },
  ],
  [
    'an inline type import',
    { 'renderer/a.ts': "export type A = import('../electron/cli/a.ts').A;" },
    {
      floors: ['renderer/a.ts (floor renderer) imports electron/cli/a.ts'],
    },
  ],
  [
    'a lazy import upwards',
    { 'electron/engine/base/a.ts': "export const a = () => import('../../cli/a.ts');" },
    {
      floors: ['electron/engine/base/a.ts (floor electron/engine) imports electron/cli/a.ts'],
    },
  ],
  [
    'a worker of another floor',
    { 'renderer/a.ts': "new Worker(new URL('../electron/w.ts', import.meta.url));" },
    {
      floors: ['renderer/a.ts (floor renderer) imports electron/w.ts'],
    },
  ],
  [
    'a re-export out of the house',
    { 'shared/a.ts': "export { b } from '../e2e/b.ts';\nexport const c = 1;" },
    {
      floors: ['shared/a.ts (floor shared) imports e2e/b.ts'],
    },
  ],
  [
    'a stranger',
    { 'electron/engine/exec/a.ts': "import '../workspace/b.ts';" },
    {
      rooms: ['electron/engine/exec/a.ts (room exec) imports electron/engine/workspace/b.ts'],
    },
  ],
  [
    'a room above',
    { 'electron/engine/tools/file/a.ts': "import '../../session/b.ts';" },
    {
      rooms: ['electron/engine/tools/file/a.ts (room tools) imports electron/engine/session/b.ts'],
    },
  ],
  [
    'a file beside engine.ts',
    { 'electron/engine/a.ts': "import './base/b.ts';", 'electron/engine/cellar/a.ts': 'export const a = 1;' },
    {
      rooms: [
        'electron/engine/a.ts is in no room of the engine',
        'electron/engine/cellar/a.ts is in no room of the engine',
      ],
    },
  ],
  [
    'an opened project that knows sessions in use',
    { 'electron/engine/openProject/a.ts': "import '../openSession/b.ts';\nimport '../engine.ts';" },
    {
      rooms: [
        'electron/engine/openProject/a.ts (room openProject) imports electron/engine/openSession/b.ts',
        'electron/engine/openProject/a.ts (room openProject) imports electron/engine/engine.ts',
      ],
    },
  ],
  [
    'the entry of the engine used from a room',
    { [session]: "import '../ports.ts';" },
    {
      rooms: [`${session} (room session) imports electron/engine/ports.ts`],
    },
  ],
  [
    'the engine used from a room',
    { [session]: "import '../engine.ts';" },
    {
      rooms: [`${session} (room session) imports electron/engine/engine.ts`],
    },
  ],
  [
    'fakes in the product',
    { [session]: "import '../testing/b.ts';" },
    {
      rooms: [`${session} (room session) imports electron/engine/testing/b.ts`],
    },
  ],
  [
    'a panel used from a part',
    { 'renderer/parts/a.tsx': "import '../panels/review/b.tsx';" },
    {
      rooms: ['renderer/parts/a.tsx (room parts) imports renderer/panels/review/b.tsx'],
    },
  ],
  [
    'a panel that knows another panel',
    { 'renderer/panels/review/a.tsx': "import '../console/b.tsx';" },
    {
      rooms: ['renderer/panels/review/a.tsx (room panels/review) imports renderer/panels/console/b.tsx'],
    },
  ],
  [
    'a client that knows what is on show',
    { 'renderer/client/a.ts': "import type { A } from '../view/b.ts';" },
    {
      rooms: ['renderer/client/a.ts (room client) imports renderer/view/b.ts'],
    },
  ],
  [
    'a folder of the window that has no floor',
    { 'renderer/app/a.ts': "import '../words/en.ts';" },
    {
      rooms: ['renderer/app/a.ts (room app) imports renderer/words/en.ts'],
    },
  ],
  [
    'scenes for tests in the window',
    { 'renderer/shell/a.tsx': "import '../testing/b.ts';" },
    {
      rooms: ['renderer/shell/a.tsx (room shell) imports renderer/testing/b.ts'],
    },
  ],
  [
    'folders that reach each other',
    {
      'renderer/parts/a.ts': "import './markdown/b.ts';",
      'renderer/parts/markdown/b.ts': 'export const b = 1;',
      'renderer/parts/markdown/c.ts': "import '../d.ts';",
      'renderer/parts/d.ts': 'export const d = 1;',
    },
    { folderCircles: ['renderer/parts ⇄ renderer/parts/markdown'] },
  ],
  [
    'the desktop in the engine',
    { [session]: "import type { App } from 'electron';" },
    {
      packages: [`${session} imports electron`],
    },
  ],
  [
    'a package out of its place',
    { [session]: "export const a = () => import('openai/streaming');" },
    {
      packages: [`${session} imports openai`],
    },
  ],
  [
    'a scoped package out of its place',
    { [session]: "import '@modelcontextprotocol/client/stdio';" },
    {
      packages: [`${session} imports @modelcontextprotocol/client`],
    },
  ],
  ['Node in the window', { 'renderer/a.ts': "import 'node:fs';" }, { packages: ['renderer/a.ts imports node:fs'] }],
  ['a package in shared', { 'shared/a.ts': "import 'diff';" }, { packages: ['shared/a.ts imports diff'] }],
  [
    'a circle of types',
    {
      'shared/a.ts': "import type { B } from './b.ts';",
      'shared/b.ts': "import type { C } from './c.ts';",
      'shared/c.ts': "import type { A } from './a.ts';",
      'shared/d.ts': "import type { A } from './a.ts';",
    },
    { circles: ['shared/a.ts ⇄ shared/b.ts ⇄ shared/c.ts'] },
  ],
  [
    'a default export',
    { 'shared/a.ts': 'const a = 1;\nexport { a as default };' },
    { defaultExports: ['shared/a.ts'] },
  ],
  [
    'a barrel',
    { 'shared/a.ts': "export { b } from './b.ts';\nexport type { C } from './c.ts';" },
    {
      barrels: ['shared/a.ts'],
    },
  ],
])('the check finds %s', (_, planted, found) => {
  const { files, imports, ...violations } = checkLayers(
    Object.entries(planted).map(([path, text]) => ({ path, text })),
  );
  expect({ files, violations }).toEqual({ files: Object.keys(planted).length, violations: { ...none, ...found } });
  expect(imports).toBeGreaterThanOrEqual(0);
});

test('the check lets pass what is allowed', () => {
  const allowed = {
    'electron/engine/handlers/a.ts': "import '../session/b.ts';\nimport 'node:fs';\nexport const a = 1;",
    'electron/engine/exec/a.test.ts': "import '../testing/b.ts';",
    'electron/engine/model/a.test.ts': "import '../../../e2e/modelServer.ts';",
    'electron/cli/version.ts':
      "import product from '../../package.json' with { type: 'json' };\nexport const a = product;",
    'electron/engine/model/a.ts': "export const a = () => import('openai');",
    'electron/main.ts': "import { app } from 'electron';\nimport './engine/engine.ts';",
    'renderer/a.tsx': "import '../shared/a.ts';\nimport worker from 'monaco-editor/editor/editor.worker?worker';",
    'shared/a.ts': "import { z } from 'zod';\nexport { b } from './b.ts';\nexport const a = z;",
  };
  const { files, imports, ...violations } = checkLayers(
    Object.entries(allowed).map(([path, text]) => ({ path, text })),
  );
  expect({ files, imports, violations }).toEqual({ files: 8, imports: 12, violations: none });
});
