import { expect, test } from 'vitest';
import { createClient } from '../../../shared/contract/client.ts';
import { createFakeHost } from '../../testing/fakeHost.ts';
import { project, taskOf, workbench } from '../../testing/sceneParts.ts';
import { placesIn, placesOf } from './placesInText.ts';

test('the newest place comes first, and each once', () => {
  const labels = placesIn('a.ts:1:2 x\nsee http://127.0.0.1:5173/ (https://example.com/a?b=1).\na.ts:1:2\nb.ts:9').map(
    ({ label }) => label,
  );
  expect(labels).toEqual(['b.ts:9:1', 'a.ts:1:2', 'https://example.com/a?b=1', 'http://127.0.0.1:5173/']);
});

test('C8: an address that would act is none', () => {
  expect(placesIn('javascript:alert(1) file:///etc/passwd data:text/html,x vscode://x/y')).toEqual([]);
});

test('of the files only those of the project are places, by their path in it; of a long log the end is read', async () => {
  const read: number[] = [];
  const host = createFakeHost(workbench, {
    'task.log': ({ offset }) => {
      read.push(offset);
      const text = offset === 0 ? 'first.ts:1' : 'a.ts:3:4 gone.ts:1\nhttp://127.0.0.1:80/';
      return { text, nextOffset: 0, sizeBytes: 100_000, path: '' };
    },
    'file.locate': ({ paths }) => ({ found: paths.map((path) => (path === 'a.ts' ? 'src/a.ts' : null)) }),
  });
  const task = taskOf('t', 'npm test', {});
  expect(await placesOf(createClient(host.connect()), { session: 's', project, task })).toEqual([
    { kind: 'address', label: 'http://127.0.0.1:80/', url: 'http://127.0.0.1:80/' },
    { kind: 'file', label: 'src/a.ts:3:4', path: 'src/a.ts', line: 3, column: 4 },
  ]);
  expect(read).toEqual([0, 36_000]);
});
