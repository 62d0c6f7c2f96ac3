import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../shared/errorCode.ts';
import { testBench } from './testing/engineForTest.ts';
import { browserCases, browserResults } from './testing/toolCases/browserCases.ts';
import { commandCases } from './testing/toolCases/commandCases.ts';
import { fileCases } from './testing/toolCases/fileCases.ts';
import { gitCases } from './testing/toolCases/gitCases.ts';
import { pictureCases } from './testing/toolCases/pictureCases.ts';
import { fullDisk, lacks, runCase, type ToolCase } from './testing/toolCases/toolCase.ts';
import { categories, frameErrors } from './tools/frame/tool.ts';

/** The categories of the tool reference; the others have tests of their own. */
const covered: ReadonlySet<string> = new Set(categories.slice(0, 8));
const cases: readonly ToolCase[] = [...fileCases, ...commandCases(fullDisk), ...gitCases, ...pictureCases];
const nameOf = ({ tool, shows, code, needs }: ToolCase): string => {
  const why = lacks(needs);
  return `${tool}: ${shows}${code === undefined ? '' : ` is ${code}`}${why === undefined ? '' : ` (skipped: ${why})`}`;
};

describe('every tool, its happy path and every code that it can return', () => {
  for (const one of cases) {
    test.skipIf(lacks(one.needs) !== undefined)(nameOf(one), async () => {
      const result = await runCase(one);
      if (one.code === undefined) expect(result).toMatchObject({ success: true, data: one.data });
      else {
        const details = one.data === undefined ? {} : { details: one.data };
        expect(result).toMatchObject({
          success: false,
          error: { code: one.code, message: expect.any(String), ...details },
        });
      }
    });
  }

  test.skipIf(browserCases.reason !== '')(
    `on a real browser${browserCases.reason}`,
    async () => {
      expect(await browserResults()).toEqual(browserCases.expected);
    },
    300_000,
  );

  test('no tool, and no code that one declares, is without a case; no case shows a code that is not declared', async () => {
    const bench = testBench({});
    const all = [...cases, ...browserCases.cases];
    const listed = await bench.engine.toolset(bench.project, 'read_file');
    const tools = (listed.ok ? listed.value.tools : []).filter(({ category }) => covered.has(category));
    const gaps = tools.flatMap(({ name, errors }) => {
      const shown = all.filter(({ tool }) => tool === name);
      const codes = new Set(shown.flatMap(({ code }) => (code === undefined ? [] : [code])));
      const declared: readonly ErrorCode[] = errors ?? [];
      return [
        ...(errors === undefined ? [`${name} declares no errors`] : []),
        ...(shown.some(({ code }) => code === undefined) ? [] : [`${name} has no happy path`]),
        ...declared.filter((code) => !codes.has(code)).map((code) => `${name}: no case for ${code}`),
        ...[...codes].filter((code) => !declared.includes(code)).map((code) => `${name}: ${code} is not declared`),
        ...declared
          .filter((code) => (frameErrors as readonly ErrorCode[]).includes(code))
          .map((code) => `${name}: ${code} is of the frame`),
      ];
    });
    const remedy = 'cases stand in testing/toolCases/; again: npx vitest run electron/engine/toolCoverage.test.ts';
    expect(gaps, remedy).toEqual([]);
  });
});
