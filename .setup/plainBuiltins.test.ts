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
