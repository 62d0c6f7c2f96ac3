import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the user's config.json below `home` before the product starts. */
export function configure(home: string, config: object): void {
  const folder = join(home, 'vise', 'config');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
}

/** Writes a script of model replies below `home`, and gives the flags that play it. */
export function scripted(home: string, replies: readonly object[]): readonly string[] {
  const file = join(home, 'script.json');
  writeFileSync(file, JSON.stringify({ replies }));
  return ['--provider', 'scripted', '--script', file];
}
