/** The wire formats that are spoken: OpenAI's chat completions and Responses, Anthropic's Messages. */
export const dialectNames = ['chat', 'responses', 'messages'] as const;
export type DialectName = (typeof dialectNames)[number];

export const dialectTitles: Readonly<Record<DialectName, string>> = {
  chat: 'chat completions',
  responses: 'the Responses API',
  messages: 'the Messages API',
};
