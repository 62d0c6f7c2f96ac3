import type { ToolSpec } from '../base/port.ts';

/** The part of the system prompt that teaches the text protocol and lists the tools that may be used now. */
export function toolPrompt(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return 'No tools are available now. Answer in plain text.';
  return [
    '## Tools',
    'To use a tool, write a call in exactly this form, as one JSON object between the tags:',
    '<tool_call>{"type":"tool_call","tool":"NAME","arguments":{"KEY":"VALUE"}}</tool_call>',
    'Several calls in one reply are allowed; they run in order. Wait for the results: they come in the next message.',
    'Inside strings write \\n for line breaks and \\" for quotes. Do not put calls in code fences, do not invent results.',
    '',
    'Available tools, each with the JSON Schema of its arguments:',
    ...tools.map((tool) => `- ${tool.name}: ${tool.description}\n  ${JSON.stringify(tool.parameters)}`),
  ].join('\n');
}
