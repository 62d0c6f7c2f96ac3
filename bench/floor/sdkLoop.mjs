// The bare loop over the `openai` package, as most agents are built: asks the model, answers each call with a tool that
// does nothing, asks again until it calls nothing. No review, no sandbox, no journal.
//
//     LLM_BASE_URL=http://127.0.0.1:PORT/v1 node bench/floor/sdkLoop.mjs FOLDER TASK
import OpenAI from 'openai';

/** @typedef {OpenAI.Chat.Completions.ChatCompletionMessageParam} Message */
const client = new OpenAI({ baseURL: process.env.LLM_BASE_URL, apiKey: 'none' });
/** @type {OpenAI.Chat.Completions.ChatCompletionTool[]} */
const tools = [
  { type: 'function', function: { name: 'nothing', description: 'nothing', parameters: { type: 'object' } } },
];
/** @type {Message[]} */
const messages = [{ role: 'user', content: process.argv[3] ?? '' }];

for (;;) {
  const stream = await client.chat.completions.create({ model: 'test', stream: true, messages, tools });
  let text = '';
  /** @type {{id: string, name: string, input: string}[]} */
  const calls = [];
  for await (const chunk of stream) {
    const delta = chunk.choices[0]?.delta;
    text += delta?.content ?? '';
    for (const part of delta?.tool_calls ?? []) {
      const call = calls[part.index] ?? { id: part.id ?? '', name: '', input: '' };
      calls[part.index] = call;
      call.name += part.function?.name ?? '';
      call.input += part.function?.arguments ?? '';
    }
  }
  if (calls.length === 0) {
    process.stdout.write(`${text}\n`);
    break;
  }
  messages.push({
    role: 'assistant',
    content: text,
    tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } })),
  });
  for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: 'ok' });
}
