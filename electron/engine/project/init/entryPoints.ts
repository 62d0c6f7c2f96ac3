import { dirname, posix } from 'node:path';
import * as z from 'zod';

/** Where programs begin by the custom of their language, when no manifest says otherwise; in this order. */
const customary = [
  /^(?:src\/)?(?:index|main|cli|app|server)\.(?:[cm]?[jt]sx?)$/,
  /^src\/(?:lib|main)\.rs$/,
  /^(?:src\/bin\/.+\.rs|main\.go|cmd\/[^/]+\/main\.go)$/,
  /^(?:(?:src\/)?[^/]+\/)?(?:__init__|__main__|main|app|manage|cli)\.py$/,
  /^(?:src\/)?(?:main|app)\.(?:c|cc|cpp|rb|php|cs)$/,
];

const packageJson = z.object({
  main: z.unknown().optional(),
  module: z.unknown().optional(),
  bin: z.unknown().optional(),
  exports: z.unknown().optional(),
  types: z.unknown().optional(),
});

/**
 * Files that a `package.json` names as where it begins, best first, as names in the project; those with a star and those that are
 * not there are left out, and a name without an ending is completed as Node does.
 */
export function packageEntries(manifest: string, text: string, has: (path: string) => boolean): readonly string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [];
  }
  const read = packageJson.safeParse(parsed);
  if (!read.success) return [];
  const { main, module, bin, exports, types } = read.data;
  // What is exported under `.` stands first in every manifest that people write; further exports come after all others.
  const named = [main ?? 'index.js', module, bin, exports, types].flatMap(stringsIn);
  return named.flatMap((name) => {
    const path = posix.join(dirname(manifest), name);
    const found = [path, ...['.js', '.mjs', '.cjs', '/index.js'].map((end) => path + end)].find(has);
    return found ?? sourceOf(path, has) ?? [];
  });
}

/** What no manifest names. */
export function customaryEntries(paths: readonly string[]): readonly string[] {
  return customary.flatMap((pattern) => paths.filter((path) => pattern.test(path)));
}

/** Code that was compiled tells what its source tells better: `dist/a/b.js` and `a/b.js` come from `src/a/b.ts`. */
export function sourceOf(path: string, has: (path: string) => boolean): string | undefined {
  const stem = path
    .replace(/^(?:\.\/)?(?:dist|lib|build|out|esm|cjs)\/(?:esm\/|cjs\/)?/, '')
    .replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  if (!/\.[cm]?[jt]sx?$/.test(path)) return undefined;
  return ['ts', 'tsx', 'mts', 'js']
    .map((ending) => `src/${stem}.${ending}`)
    .find((source) => source !== path && has(source));
}

/** All strings of a value that are names of files of the package, in their order, each once. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes('*') ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...new Set(Object.values(value).flatMap(stringsIn))];
}
