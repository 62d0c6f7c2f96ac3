import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseOutput } from './parseOutput.ts';
import type { SpecOutput } from './specTypes.ts';
import { type SpecIssue, validateSpec } from './validateSpec.ts';

const folder = join(process.env['VISE_CORPORA'] ?? '../shared/corpora', 'cli-bridge');
const missing = !existsSync(folder);
const note = missing ? ` (skipped: ${folder} is missing)` : '';

function lines<T>(name: string): readonly T[] {
  if (missing) return [];
  const text = readFileSync(join(folder, name), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

interface Validation {
  readonly id: string;
  readonly input: unknown;
  readonly ok: boolean;
  readonly errors: readonly SpecIssue[] | null;
}

interface Output {
  readonly id: string;
  readonly stdout: string;
  readonly output: SpecOutput;
  readonly text: string;
}

const pathsOf = (issues: readonly SpecIssue[]): readonly string[] => issues.map(({ path }) => path).toSorted();

describe.skipIf(missing)(`recorded verdicts on specs${note}`, () => {
  test.each(lines<Validation>('validate-spec-golden.jsonl'))('$id', ({ input, ok, errors }) => {
    const check = validateSpec(input);
    expect({ ok: check.ok, paths: check.ok ? [] : pathsOf(check.errors) }).toEqual({
      ok,
      paths: pathsOf(errors ?? []),
    });
  });

  const specs = missing ? [] : readdirSync(join(folder, 'specs'));
  test.each(specs)('the file %s', (name) => {
    const check = validateSpec(JSON.parse(readFileSync(join(folder, 'specs', name), 'utf8')) as unknown);
    expect(check.ok).toBe(!name.startsWith('invalid-'));
  });
});

describe.skipIf(missing)(`recorded readings of output${note}`, () => {
  test.each(lines<Output>('parse-output-golden.jsonl'))('$id', ({ stdout, output, text }) => {
    expect(parseOutput(stdout, output).text).toBe(text);
  });
});
