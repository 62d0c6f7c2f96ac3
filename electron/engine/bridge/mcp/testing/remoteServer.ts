import { spawn } from 'node:child_process';
import { inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

/** One pixel, base64. */
export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A server made with the official library, for tests of our client. */
export function remoteServer(): McpServer {
  const server = new McpServer(
    { name: 'remote', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, resources: { listChanged: true } } },
  );
  const schema = z.object({ text: z.string().optional() });
  server.registerTool(
    'read',
    { description: 'Reads\nthings', inputSchema: schema, annotations: { readOnlyHint: true } },
    ({ text }) => ({
      content: [{ type: 'text', text: text ?? 'nothing' }],
      structuredContent: { text: text ?? 'nothing' },
    }),
  );
  server.registerTool('picture', { inputSchema: schema, annotations: { readOnlyHint: true } }, ({ text }) => ({
    content: [{ type: 'image', data: text === 'large' ? 'A'.repeat(7_000_004) : picture, mimeType: 'image/png' }],
  }));
  server.registerTool('burn', { description: 'Burns', inputSchema: schema }, () => ({
    content: [{ type: 'text', text: 'no fire' }],
    isError: true,
  }));
  server.registerTool('flood', { inputSchema: schema }, () => ({
    content: [{ type: 'text', text: 'x'.repeat(300_000) }],
  }));
  server.registerTool('crash', { inputSchema: schema }, () => process.exit(3));
  server.registerTool('grow', { inputSchema: schema }, () => {
    server.registerTool('grown', { inputSchema: schema }, () => ({ content: [] }));
    return { content: [{ type: 'text', text: 'grown' }] };
  });
  server.registerTool('environment', { inputSchema: schema }, () => ({
    content: [{ type: 'text', text: JSON.stringify(process.env) }],
  }));
  server.registerTool('child', { inputSchema: schema }, () => {
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    return { content: [{ type: 'text', text: String(child.pid) }] };
  });
  const wanted = z.object({ what: z.string(), how: z.string().optional() });
  server.registerPrompt('review', { description: 'Review something', argsSchema: wanted }, ({ what, how }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Look at ${what} ${how ?? 'well'}. @a.txt` } }],
  }));
  const page = (uri: URL, text: string) => ({ contents: [{ uri: uri.href, text }] });
  server.registerResource('Handbook', 'docs://handbook', { mimeType: 'text/plain' }, (uri) => page(uri, 'Page one.'));
  server.registerTool('publish', { inputSchema: schema }, () => {
    server.registerResource('News', 'docs://news', {}, (uri) => page(uri, 'New.'));
    return { content: [{ type: 'text', text: 'published' }] };
  });
  server.registerTool('promptMore', { inputSchema: schema }, () => {
    server.registerPrompt('later', { description: 'A later one' }, () => ({ messages: [] }));
    return { content: [{ type: 'text', text: 'there is one more' }] };
  });
  server.registerTool('order', { inputSchema: schema }, (_input, { mcpReq }) => {
    const answered = inputResponse(mcpReq.inputResponses, 'order');
    if (answered.kind !== 'missing') return { content: [{ type: 'text', text: JSON.stringify(answered) }] };
    const elicit = inputRequired.elicit({ message: 'What shall it be?', requestedSchema: orderForm });
    return inputRequired({ inputRequests: { order: elicit }, requestState: 'asked' });
  });
  return server;
}

/** A form with a field of each kind. */
const orderForm = {
  type: 'object' as const,
  properties: {
    size: { type: 'string' as const, title: 'Size', enum: ['small', 'large'] },
    count: { type: 'integer' as const, description: 'How many', minimum: 1, maximum: 9 },
    gift: { type: 'boolean' as const, title: 'As a gift' },
  },
  required: ['size', 'count'],
};

if (process.argv[1]?.endsWith('remoteServer.ts')) serveStdio(() => remoteServer());
