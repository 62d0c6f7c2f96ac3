import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives the run a temporary folder of its own and removes it at the end: browsers that are killed leave their profiles
 * and traces behind. Its name is short, as sockets lie below it and their paths hold 107 bytes.
 */
export default function temporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
