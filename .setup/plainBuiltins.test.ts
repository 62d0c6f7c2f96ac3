import { expect, test } from 'vitest';
import { withPlainBuiltins } from './plainBuiltins.ts';

test.each([
  [
    'import{readFileSync as a,statSync}from"node:fs";x()',
    'const {readFileSync:a,statSync}=globalThis.process.getBuiltinModule("node:fs");x()',
  ],
  ['import p from"node:path";', 'const p=globalThis.process.getBuiltinModule("node:path");'],
  ['import * as os from "node:os";', 'const os=globalThis.process.getBuiltinModule("node:os");'],
  [
    'import p,{join as j}from"node:path";',
    'const p=globalThis.process.getBuiltinModule("node:path"),{join:j}=globalThis.process.getBuiltinModule("node:path");',
  ],
  ['import process from"node:process";', 'const process=globalThis.process.getBuiltinModule("node:process");'],
  ['import{a}from"./chunk.js";', 'import{a}from"./chunk.js";'],
  ['await import("node:http")', 'await import("node:http")'],
])('%s becomes %s', (before, after) => {
  expect(withPlainBuiltins(before)).toBe(after);
});

const load = async (code: string, names: string): Promise<unknown> =>
  import(`data:text/javascript,${encodeURIComponent(`${code};export {${names}}`)}`);

test('a module that takes long to load is loaded when one of its functions is first called', async () => {
  const code = withPlainBuiltins('import{createHash as hash,randomBytes}from"node:crypto";');
  expect(code.startsWith('function hash(')).toBe(true);
  const crypto = (await load(code, 'hash as createHash, randomBytes')) as typeof import('node:crypto');
  expect([crypto.createHash('sha1').update('a').digest('hex'), crypto.randomBytes(3).length]).toEqual([
    '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8',
    3,
  ]);
  const threads = withPlainBuiltins('import{Worker}from"node:worker_threads";');
  const { Worker } = (await load(threads, 'Worker')) as typeof import('node:worker_threads');
  const running = new Worker('', { eval: true });
  expect(running.threadId).toBeGreaterThan(0);
  await running.terminate();
});

test('what is no function, or not known to be one, is taken at once', () => {
  expect(withPlainBuiltins('import{parentPort,Worker}from"node:worker_threads";')).toBe(
    'const {parentPort,Worker}=globalThis.process.getBuiltinModule("node:worker_threads");',
  );
});
