// One request through the `openai` package, its reply streamed to standard output: what most programs do.
//
//     LLM_BASE_URL=http://127.0.0.1:PORT/v1 node bench/floor/sdk.mjs FOLDER TASK
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: process.env.LLM_BASE_URL, apiKey: 'none' });
const stream = await client.chat.completions.create({
  model: 'test',
  stream: true,
  messages: [{ role: 'user', content: process.argv[3] ?? '' }],
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
