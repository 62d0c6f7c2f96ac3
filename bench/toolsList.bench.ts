import type { ServerPort } from '../electron/engine/bridge/mcp/serverPort.ts';
import { connectClient } from '../electron/engine/bridge/mcp/testing/connectClient.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// What tools/list costs an MCP client with 500 tools, over the official client and server within one process. Target:
// 20 ms. The reference is the bare cost of writing and reading the same answer as JSON.

const count = isSmoke ? 10 : 500;

const tools = Array.from({ length: count }, (_, at) => ({
  name: `tool_${at}`,
  description: 'A tool of a benchmark with a description of the usual length, which is one or two sentences.',
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 6 }, (_unused, input) => [`input${input}`, { type: 'string', description: 'An input' }]),
    ),
    required: ['input0'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
}));

const port: ServerPort = {
  version: '0.0.0',
  instructions: () => '',
  listTools: async () => tools,
  onToolsChanged: () => ({ dispose: () => undefined }),
  callTool: () => Promise.resolve({ result: { success: true, data: null } }),
  listResources: () => Promise.resolve([]),
  readResource: () => Promise.resolve(undefined),
  listPrompts: () => [],
  getPrompt: () => Promise.resolve(undefined),
};

const { client, close } = await connectClient(port);
try {
  const series = await byTurns(30, {
    async ours() {
      const started = performance.now();
      const listed = await client.listTools(undefined, { cacheMode: 'refresh' });
      const took = performance.now() - started;
      if (listed.tools.length !== count) throw new Error(`${listed.tools.length} tools`);
      return took;
    },
    reference() {
      const started = performance.now();
      JSON.parse(JSON.stringify({ tools }));
      return Promise.resolve(performance.now() - started);
    },
  });
  report(compare('toolsList', 'ms', series));
} finally {
  await close();
}
