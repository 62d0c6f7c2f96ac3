import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { productRoot } from './harness/folders.ts';
import { programEnvironment } from './harness/program.ts';
import { expect, test } from './harness/test.ts';

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

const readme = readFileSync(join(productRoot, 'README.md'), 'utf8');
const { bin } = JSON.parse(readFileSync(join(productRoot, 'package.json'), 'utf8')) as {
  readonly bin: Readonly<Record<string, string>>;
};

/** The fenced blocks of a language. */
function blocks(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);
}

function claudeCode(): Entry {
  const text = blocks('json').find((block) => block.includes('mcpServers')) ?? '';
  return (JSON.parse(text) as { readonly mcpServers: { readonly vise: Entry } }).mcpServers.vise;
}

/** The lines of one table; their values are written alike in TOML and JSON. */
function codex(): Entry {
  const [text = ''] = blocks('toml');
  const [title, ...lines] = text.trim().split('\n');
  expect(title).toBe('[mcp_servers.vise]');
  const pairs = lines.map((line): [string, unknown] => {
    const [, key = '', value = ''] = /^(\w+) = (.+)$/.exec(line) ?? [];
    return [key, JSON.parse(value)];
  });
  return Object.fromEntries(pairs) as unknown as Entry; // its two keys are used below
}

for (const [name, read] of [
  ['Claude Code', claudeCode],
  ['Codex', codex],
] as const)
  test(`the configuration of ${name} in the README starts a server with the tools`, async ({ home, makeProject }) => {
    const project = makeProject({ 'a.txt': 'hello\n' });
    const { command, args } = read();
    const program = bin[command];
    expect(program).toBeDefined();
    const env = Object.fromEntries(
      Object.entries(programEnvironment(home)).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const client = new Client({ name: 'readme', version: '1' });
    try {
      // What an installed package does: the name leads to the program, in the client's own folder.
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [join(productRoot, program ?? ''), ...args],
          cwd: project,
          env,
          stderr: 'ignore',
        }),
      );
      const { tools } = await client.listTools();
      expect(tools.length).toBeGreaterThanOrEqual(48);
      const file = await client.callTool({ name: 'read_file', arguments: { filePath: 'a.txt' } });
      expect(file.structuredContent).toMatchObject({ success: true, data: { content: 'hello\n' } });
    } finally {
      await client.close();
    }
  });
