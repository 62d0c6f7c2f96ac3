import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Source } from './layerRules.ts';

const root = dirname(import.meta.dirname);

/** The TypeScript sources of the product's floors, tests included, with what they hold. */
export const readSources = (): readonly Source[] =>
  ['shared', 'electron', 'renderer'].flatMap((floor) =>
    readdirSync(join(root, floor), { recursive: true, encoding: 'utf8' })
      .map((name) => `${floor}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  );
