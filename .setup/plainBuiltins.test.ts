import { expect, test } from 'vitest';
import { withPlainBuiltins } from './plainBuiltins.ts';

test.each([
  [
    'import{readFileSync as a,statSync}from"node:fs";x()',
    'const {readFileSync:a,statSync}=process.getBuiltinModule("node:fs");x()',
  ],
  ['import p from"node:path";', 'const p=process.getBuiltinModule("node:path");'],
  ['import * as os from "node:os";', 'const os=process.getBuiltinModule("node:os");'],
  [
    'import p,{join as j}from"node:path";',
    'const p=process.getBuiltinModule("node:path"),{join:j}=process.getBuiltinModule("node:path");',
  ],
  ['import{a}from"./chunk.js";', 'import{a}from"./chunk.js";'],
  ['await import("node:http")', 'await import("node:http")'],
])('%s becomes %s', (before, after) => {
  expect(withPlainBuiltins(before)).toBe(after);
});
