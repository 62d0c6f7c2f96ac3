import { describe, expect, test } from 'vitest';
import { sampleSpec } from './cliSpec/testing/sampleSpec.ts';
import { inspectBridge } from './inspect.ts';

describe('inspectBridge', () => {
  test('gives the verdict on a spec', () => {
    expect([inspectBridge('spec', { spec: sampleSpec() }), inspectBridge('spec', { spec: 1 })]).toEqual([
      { ok: true, value: { ok: true, errors: [] } },
      { ok: true, value: { ok: false, errors: [{ path: '', message: 'Input must be an object' }] } },
    ]);
  });

  test('gives a spec of a help text', () => {
    const made = inspectBridge('help', { text: 'Usage: x FILE', name: 'x', version: '1' });
    expect(made.ok && (made.value as { name: string }).name).toBe('x');
  });

  test('gives what an output means', () => {
    expect(inspectBridge('output', { stdout: 'a\n1\n', output: { format: 'csv' } })).toEqual({
      ok: true,
      value: { text: '[\n  {\n    "a": "1"\n  }\n]', structured: [{ a: '1' }] },
    });
  });

  test.each([
    ['help', {}],
    ['output', { stdout: 'x', output: { format: 'xml' } }],
    ['output', null],
  ] as const)('refuses %s %j', (what, value) => {
    const made = inspectBridge(what, value);
    expect(made.ok ? 'ok' : made.error.code).toBe('VALIDATION_ERROR');
  });
});
