import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isInside, type PathPlatform } from './pathRules.ts';

const file = path.join(
  process.env['VISE_CORPORA'] ?? path.resolve('../shared/corpora'),
  'path-escape/mcp-filesystem-paths.jsonl',
);
const present = existsSync(file);

interface Row {
  readonly id: string;
  readonly fn: string;
  readonly args: readonly [unknown, unknown];
  readonly result: unknown;
  readonly platform: PathPlatform;
  readonly cwd: string;
}

const rows: readonly Row[] = present
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
      .filter((row) => row.fn === 'isPathWithinAllowedDirectories')
  : [];

describe.skipIf(!present)(`recorded containment checks (skipped when ${file} is missing)`, () => {
  test.each(rows)('$id', ({ args: [given, roots], result, platform, cwd }) => {
    const absolute = (name: unknown) =>
      typeof name === 'string' && name !== '' ? path.posix.resolve(cwd, name) : undefined;
    const inner = absolute(given);
    const outer = Array.isArray(roots) ? roots.map(absolute) : [];
    const inside = inner !== undefined && outer.some((root) => root !== undefined && isInside(root, inner, platform));
    expect(inside).toBe(result);
  });
  test('the corpus has its rows', () => expect(rows.length).toBeGreaterThan(100));
});
