import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readReply } from './readReply.ts';

interface Row {
  readonly id: string;
  readonly text: string;
  readonly expected: {
    readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
    readonly content: string | null;
  };
}

const corpora = process.env.VISE_CORPORA ?? resolve('../shared/corpora');
const file = resolve(corpora, 'toolcall-text/foreign-formats.jsonl');
const rows = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
  : [];

/** Where we decide otherwise, on purpose. */
const exceptions: Readonly<Record<string, string>> = {
  'vllm-project/010': 'arguments must be an object: a bare text would be a guess',
  'ggml-org/033': 'a bare object behind prose may be an example: only a reply that is nothing else is a call',
};

describe(
  rows.length === 0 ? `recorded tool calls in text (skipped: ${file} is missing)` : 'recorded tool calls in text',
  () => {
    test.skipIf(rows.length === 0)('are understood as their makers meant them', () => {
      const different: string[] = [];
      for (const { id, text, expected } of rows) {
        const reply = readReply(text, 'tolerant');
        const calls = reply.calls.map((call) => ({ name: call.tool, arguments: call.arguments }));
        const same =
          JSON.stringify(calls) === JSON.stringify(expected.calls) &&
          (expected.content === null || reply.content === expected.content.trim());
        if (!same) different.push(id);
      }
      expect(different).toEqual(Object.keys(exceptions));
      expect(rows.length).toBeGreaterThanOrEqual(70);
    });
  },
);
