import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../base/io.ts';

/** The text after the person's own editor has had it; undefined where there is none, or where it failed. */
export async function editedText(text: string, io: Pick<Io, 'env'>): Promise<string | undefined> {
  const editor = io.env['VISUAL'] || io.env['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi');
  const folder = mkdtempSync(join(tmpdir(), 'vise-edit-'));
  try {
    const path = join(folder, 'message.md');
    writeFileSync(path, text);
    // EDITOR may hold words: a shell reads it, as git has one read it, and the path is handed over beside it.
    const [program, args] =
      process.platform === 'win32' ? [editor, [path]] : ['sh', ['-c', `${editor} "$1"`, 'sh', path]];
    const code = await new Promise<number | null>((resolve) => {
      const child = spawn(program, args, { stdio: 'inherit', env: io.env });
      child.on('error', () => resolve(null));
      child.on('exit', resolve);
    });
    return code === 0 ? readFileSync(path, 'utf8').replace(/\n+$/, '') : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
