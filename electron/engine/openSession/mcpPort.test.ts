import { expect, test } from 'vitest';
import { testBench } from '../testing/engineForTest.ts';
import { createMcpPort } from './mcpPort.ts';

test('a picture is sent once: as a picture, and not in base64 in the text', async () => {
  const { engine, project } = testBench({});
  const opened = await engine.project(project);
  if (!opened.ok) throw new Error(opened.error.message);
  const data = { imageData: 'aGk=', mimeType: 'image/png', width: 1 };
  const port = createMcpPort({ callTool: async () => ({ success: true, data }) }, opened.value, '1');
  const answer = await port.callTool(
    'screenshot',
    {},
    { client: '', signal: new AbortController().signal, onProgress: () => undefined, ask: async () => 'deny' },
  );
  expect(answer).toEqual({
    result: { success: true, data: { mimeType: 'image/png', width: 1 } },
    images: [{ data: 'aGk=', mimeType: 'image/png' }],
  });
});
