// The floor: the least that an agent has to do, on node:http alone. Asks the model, runs what it calls, asks again until
// it calls nothing. No review, no sandbox, no journal: what Vise costs more is what those cost.
//
//     LLM_BASE_URL=http://127.0.0.1:PORT/v1 node bench/floor/loop.mjs FOLDER TASK
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

const [folder = '.', task = ''] = process.argv.slice(2);
/**
 * @typedef {{index: number, id?: string, function?: {name?: string, arguments?: string}}} CallPart
 * @typedef {{choices?: {delta?: {content?: string, tool_calls?: CallPart[]}}[]}} Chunk
 * @typedef {{command: string, filePath: string}} Input
 */
const agent = new Agent({ keepAlive: true });
const address = `${process.env.LLM_BASE_URL}/chat/completions`;

/** @param {string} name @param {Record<string, object>} properties */
const tool = (name, properties) => ({
  type: 'function',
  function: { name, description: name, parameters: { type: 'object', properties } },
});
const tools = [tool('read_file', { filePath: { type: 'string' } }), tool('run', { command: { type: 'string' } })];

/** @type {object[]} */
const messages = [{ role: 'user', content: task }];

/** @returns {Promise<{text: string, calls: {id: string, name: string, input: string}[]}>} */
function ask() {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ model: 'test', stream: true, messages, tools });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(address, { method: 'POST', agent, headers }, (response) => {
      let rest = '';
      let text = '';
      /** @type {{id: string, name: string, input: string}[]} */
      const calls = [];
      response.setEncoding('utf8');
      response.on('data', (/** @type {string} */ chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (!line.startsWith('data: {')) continue;
          const event = /** @type {Chunk} */ (JSON.parse(line.slice(6)));
          const delta = event.choices?.[0]?.delta ?? {};
          if (delta.content) text += delta.content;
          for (const part of delta.tool_calls ?? []) {
            const call = calls[part.index] ?? { id: part.id ?? '', name: '', input: '' };
            calls[part.index] = call;
            call.name += part.function?.name ?? '';
            call.input += part.function?.arguments ?? '';
          }
        }
      });
      response.on('end', () => resolve({ text, calls }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** @param {string} command @returns {Promise<string>} */
function runCommand(command) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn('/bin/sh', ['-c', command], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ data) => {
      if (output.length < 50_000) output += data;
    });
    child.on('close', () => resolve(output));
  });
}

for (;;) {
  const { text, calls } = await ask();
  if (calls.length === 0) {
    process.stdout.write(`${text}\n`);
    break;
  }
  const written = calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } }));
  messages.push({ role: 'assistant', content: text, tool_calls: written });
  const results = await Promise.all(
    calls.map(({ name, input }) => {
      const given = /** @type {Input} */ (JSON.parse(input));
      return name === 'run' ? runCommand(given.command) : readFile(join(folder, given.filePath), 'utf8');
    }),
  );
  for (const [index, content] of results.entries())
    messages.push({ role: 'tool', tool_call_id: calls[index]?.id, content });
}
agent.destroy();
