import { createEmitter } from '../../../base/emitter.ts';
import type { ServerPort } from '../serverPort.ts';

/** A port with one tool of each kind, for tests of the server. */
export function samplePort(): ServerPort & { change(): void } {
  const changed = createEmitter<void>(() => undefined);
  const released = Promise.withResolvers<void>();
  let more = false;
  const tool = (name: string) => ({
    name,
    description: `Tool ${name}`,
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  });
  return {
    version: '1.2.3',
    change() {
      more = true;
      changed.emit();
    },
    instructions: () => 'Some words.',
    listTools: async () => [
      { ...tool('echo'), annotations: { readOnlyHint: true } },
      tool('steps'),
      tool('release'),
      tool('ask'),
      tool('slow'),
      tool('picture'),
      tool('blocks'),
      tool('change'),
      ...(more ? [tool('later')] : []),
    ],
    onToolsChanged: (listen) => changed.on(listen),
    async callTool(name, input, { ask, onProgress, signal }) {
      switch (name) {
        case 'steps':
          onProgress('half');
          await released.promise;
          return { result: { success: true, data: null } };
        case 'release':
          released.resolve();
          return { result: { success: true, data: null } };
        case 'echo':
          return { result: { success: true, data: input } };
        case 'ask': {
          const consent = await ask('May I?');
          return consent === 'allow'
            ? { result: { success: true, data: 'done' } }
            : { result: { success: false, error: { code: 'PERMISSION_DENIED', message: consent } } };
        }
        case 'slow':
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
          process.stderr.write('cancelled\n');
          return { result: { success: false, error: { code: 'CANCELLED', message: 'stopped' } } };
        case 'picture':
          return { result: { success: true, data: {} }, images: [{ data: 'aGk=', mediaType: 'image/png' }] };
        case 'blocks':
          return {
            result: { success: false, error: { code: 'TOOL_EXECUTION_FAILED', message: 'm' } },
            blocks: ['out', '[exit code: 1]'],
          };
        case 'change':
          more = true;
          changed.emit();
          return { result: { success: true, data: null } };
        default:
          return { result: { success: false, error: { code: 'TOOL_NOT_FOUND', message: `Unknown tool ${name}` } } };
      }
    },
    listResources: () => Promise.resolve([{ uri: 'vise://file/a.txt', name: 'a.txt', mimeType: 'text/plain' }]),
    readResource: (uri) =>
      Promise.resolve(uri === 'vise://file/a.txt' ? { mimeType: 'text/plain', text: 'hello' } : undefined),
    listPrompts: () => [
      { name: 'review', description: 'Review', arguments: [{ name: 'what', description: 'What', required: true }] },
    ],
    getPrompt: (name, given) => Promise.resolve(name === 'review' ? `Review ${given['what'] ?? ''}` : undefined),
  };
}
