import { lstatSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod';

/** No package that a person wrote is larger. */
const maxBytes = 1_000_000;

const packageSchema = z.lazy(() => z.object({ scripts: z.record(z.string(), z.string()) }));

/** The text of a script in the `package.json` of a folder of the project; nothing where there is none that can be read. */
export function packageScript(root: string, folder: string, name: string): string | undefined {
  const path = join(folder, 'package.json');
  if (relative(root, path).startsWith('..')) return undefined;
  try {
    const stat = lstatSync(path);
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    const parsed = packageSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success && Object.hasOwn(parsed.data.scripts, name) ? parsed.data.scripts[name] : undefined;
  } catch {
    return undefined; // missing, or no JSON: the manager will say so
  }
}
