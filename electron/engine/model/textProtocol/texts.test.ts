import { describe, expect, test } from 'vitest';
import type { ReplyError } from '../base/port.ts';
import { readReply } from './readReply.ts';
import { maxCorrections, retryMessage } from './retryMessages.ts';
import { toolPrompt } from './toolPrompt.ts';
import { nextHint, toolResultText } from './toolResultText.ts';

const errors: readonly ReplyError[] = [
  'empty_output',
  'unclosed_tool_call',
  'json_decode_error',
  'invalid_structure',
  'unknown_type',
  'empty_tool_name',
  'invalid_arguments',
];

describe('retry messages', () => {
  test('differ for each error, and the second is shorter than the first', () => {
    const first = errors.map((error) => retryMessage(error, 1, 'position 12'));
    const second = errors.map((error) => retryMessage(error, maxCorrections));
    expect([new Set(first).size, new Set(second).size]).toEqual([errors.length, errors.length]);
    for (const [index, error] of errors.entries()) {
      expect(first[index]).toContain(error);
      expect(first[index]).toContain('position 12');
      expect(second[index]?.length).toBeLessThan(first[index]?.length ?? 0);
    }
  });
});

describe('the tool prompt', () => {
  test('names every tool with its schema and shows a form that the reader understands', () => {
    const prompt = toolPrompt([{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }]);
    expect(prompt).toContain('- read_file: Reads.\n  {"type":"object"}');
    const example = prompt.split('\n').find((line) => line.startsWith('<tool_call>')) ?? '';
    expect(readReply(example, 'strict').calls).toEqual([{ tool: 'NAME', arguments: { KEY: 'VALUE' } }]);
  });
});

describe('tool results', () => {
  test('are a header and JSON with sorted keys, other alphabets kept', () => {
    const text = toolResultText({
      tool: 'read_file',
      arguments: { path: 'ä.txt', from: 1 },
      ok: true,
      result: { ok: true, content: '你好' },
    });
    expect(text).toBe(
      '--- tool call result ---\n{"arguments":{"from":1,"path":"ä.txt"},"error":null,"next_hint":"decide_between_next_read_or_phase_report","ok":true,"report":null,"result":{"content":"你好","ok":true},"tool":"read_file"}',
    );
  });

  test.each([
    [{ tool: 'report_findings', ok: true, report: 'findings' }, 'move_toward_planning'],
    [{ tool: 'report_plan', ok: true, report: 'plan' }, 'move_toward_patching'],
    [{ tool: 'report_done', ok: true, report: 'done' }, 'task_complete'],
    [{ tool: 'report_blocked', ok: false, report: 'blocked' }, 'inspect_error_or_report_blocked'],
    [{ tool: 'read_file', ok: false }, 'inspect_error_or_report_blocked'],
    [{ tool: 'list_files', ok: true }, 'read_relevant_files_or_report_findings'],
    [{ tool: 'write_file', ok: true }, 'review_changes_and_continue'],
    [{ tool: 'apply_diff', ok: true }, 'review_changes_and_continue'],
    [{ tool: 'search_text', ok: true }, 'choose_next_action'],
  ])('hint after %o: %s', (outcome, hint) => {
    expect(nextHint(outcome)).toBe(hint);
  });
});
