import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allActions } from './actions/all.ts';

interface Listed {
  readonly modules: Readonly<
    Record<string, Readonly<Record<string, { readonly params: readonly { flag: string; required: boolean }[] }>>>
  >;
}

const file = join(process.env['VISE_CORPORA'] ?? '../shared/corpora', 'pseudo-cli', 'registry.json');
const missing = !existsSync(file);

describe.skipIf(missing)(
  `the registry beside the recorded one${missing ? ` (skipped: ${file} is missing)` : ''}`,
  () => {
    test('no recorded flag of a named action is missing or has another need', () => {
      const recorded = JSON.parse(readFileSync(file, 'utf8')) as Listed;
      const differences: string[] = [];
      for (const { module, action, params } of allActions([])) {
        for (const { flag, required } of recorded.modules[module]?.[action]?.params ?? []) {
          const own = params.find((param) => param.flag === flag);
          if (own === undefined) differences.push(`${module} ${action} lacks ${flag}`);
          else if (own.required !== required) differences.push(`${module} ${action} ${flag} required: ${own.required}`);
        }
      }
      expect(differences).toEqual([]);
    });

    test('every recorded action of the modules that the product has is there', () => {
      const recorded = JSON.parse(readFileSync(file, 'utf8')) as Listed;
      const own = allActions([]);
      const named = new Set(own.map(({ module, action }) => `${module} ${action}`));
      const missing = [...new Set(own.map(({ module }) => module))].flatMap((module) =>
        Object.keys(recorded.modules[module] ?? {})
          .filter((action) => !named.has(`${module} ${action}`))
          .map((action) => `${module} ${action}`),
      );
      expect(missing).toEqual([]);
    });
  },
);
