// The bare reader of a stream on node:http alone: posts one request, parses each event, puts the text of the reply together.
//
//     LLM_BASE_URL=http://127.0.0.1:PORT/v1 node bench/floor/reader.mjs FOLDER TASK
import { request } from 'node:http';

/** @typedef {{type?: string, delta?: string | {text?: string}}} Event */
const body = JSON.stringify({ model: 'test', stream: true, input: process.argv[3] });
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
const sent = request(`${process.env.LLM_BASE_URL}/responses`, { method: 'POST', headers }, (response) => {
  let rest = '';
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (/** @type {string} */ chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const { type, delta } = /** @type {Event} */ (JSON.parse(line.slice(6)));
      if (type === 'response.output_text.delta' && typeof delta === 'string') text += delta;
      else if (type === 'content_block_delta' && typeof delta === 'object') text += delta.text ?? '';
    }
  });
  response.on('end', () => process.stdout.write(`${text}\n`));
});
sent.end(body);
