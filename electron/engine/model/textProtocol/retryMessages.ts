import type { ReplyError } from '../base/port.ts';

const whatWasWrong: Readonly<Record<ReplyError, string>> = {
  empty_output: 'Your reply was empty.',
  unclosed_tool_call:
    'Your reply has a <tool_call> tag without its partner: each call needs <tool_call> and </tool_call>.',
  json_decode_error: 'The text inside <tool_call> was not valid JSON.',
  invalid_structure: 'The text inside <tool_call> was not one JSON object.',
  unknown_type: 'The JSON inside <tool_call> must have "type": "tool_call".',
  empty_tool_name: 'The JSON inside <tool_call> must name a tool: "tool" was missing, empty or not a text.',
  invalid_arguments: 'The "arguments" inside <tool_call> must be one JSON object.',
};

const form = '<tool_call>{"type":"tool_call","tool":"NAME","arguments":{}}</tool_call>';

/** At most this many corrections: the first explains, the second only shows. Three attempts in all. */
export const maxCorrections = 2;

/** The system message after a malformed reply, for the next attempt only. `correction` counts from 1. */
export function retryMessage(error: ReplyError, correction: number, detail?: string): string {
  if (correction >= maxCorrections) {
    return `${whatWasWrong[error]} Write only this, on one line, with your tool and arguments: ${form}`;
  }
  const where = detail === undefined ? '' : ` (${detail})`;
  return [
    `Your last reply could not be read and nothing was run: ${error}.`,
    `${whatWasWrong[error]}${where}`,
    `Send the whole reply again. Each tool call is exactly: ${form}`,
    'Escape quotes and line breaks inside strings (\\" and \\n). Without a tool call, answer in plain text.',
  ].join('\n');
}
