import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** For tests: a real temporary folder with these files, removed when the test ends. */
export function testFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'vise-workspace-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, files);
  return folder;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

/** Everything below a folder: content for files (Latin-1 when it is no UTF-8), `→ target` for links, `/` for empty folders. */
export function treeOf(folder: string, below = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  const names = readdirSync(path.join(folder, below)).sort();
  if (names.length === 0 && below !== '') tree[`${below}/`] = '';
  for (const name of names) {
    const relative = below === '' ? name : `${below}/${name}`;
    const full = path.join(folder, relative);
    const stats = lstatSync(full);
    if (stats.isDirectory()) Object.assign(tree, treeOf(folder, relative));
    else if (stats.isSymbolicLink()) tree[relative] = `→ ${readlinkSync(full)}`;
    else if (stats.isFile()) {
      const bytes = readFileSync(full);
      tree[relative] = bytes.equals(Buffer.from(bytes.toString('utf8')))
        ? bytes.toString('utf8')
        : bytes.toString('latin1');
    } else tree[relative] = 'special';
  }
  return tree;
}
