import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableOf } from './madePage.ts';

/** What Vise says that it withstands, one line each; the ids stand in the names of the tests that prove it. */
const promises: Readonly<Record<string, string>> = {
  P1: 'A link that leaves the project, for reading and writing',
  P2: 'Writing through a link that points nowhere',
  P3: 'Missing parents below a linked folder',
  P4: 'Patches with links, submodules, absolute or climbing names',
  P5: 'Linked state folders (`.vise`, `.cli-bridge`, `.git`)',
  P6: 'Undo through links',
  P7: 'Folders with a common beginning of the name; a working folder that widens the root',
  P8: 'Names that only differ by case or Unicode form; device names, trailing dots, streams',
  P9: 'A swap between what was shown and what is done',
  P10: 'Temporary files that can be guessed or read; modes lost on replace',
  P11: 'Pipes, devices, sockets, huge and binary files',
  P12: 'Files that other programs obey are always asked',
  C1: 'Compound commands, substitutions, redirections against rules',
  C2: 'Wrappers and runners against rules',
  C3: 'What cannot be parsed is asked',
  C4: '`rm` of everything is asked under every level',
  C5: 'The approved bytes are the executed bytes, hidden characters shown',
  C6: 'No secret in the environment of commands',
  C7: 'Stop means stop, `setsid` and double forks included',
  C8: 'Escape sequences stay in the console',
  C9: 'The sandbox of the operating system, or no command',
  C10: 'A rule covers what a command writes, runs and reads, not only its first words',
  C11: 'What a deny rule names is in no result of search, symbols, git, specs or lint',
  C12: 'Nothing that a sandboxed command can write is obeyed outside',
  C13: 'The sandbox without capabilities, keys of the home folder and sockets of the machine',
  C14: 'Levels mean what they say: what the folder chooses is not proven to only read',
  J1: 'Nothing of a folder runs before trust',
  J2: 'Trust is bound to content',
  J3: 'Instructions in files and outputs are data',
  J4: 'Placeholders become arguments, never a shell line',
  J6: 'Trust is checked at use, by content; what narrows counts without it',
  J5: 'Limits for sizes, depths, expressions and walks',
  S1: 'The shell around the desktop window',
  S2: 'Links are opened only after asking',
  S3: 'The loopback host: token, Host, Origin, cookie',
  S4: 'Every frame is checked, a bad one ends its connection',
  S5: 'Keys are kept and never shown',
  S6: 'Journal and settings survive torn writes and newer versions',
  S7: 'No request ends a process; cookie, code and token are three things',
  N1: 'A kill of the engine at any moment',
  N2: 'A full disk, a read-only folder, too many open files',
  N3: 'Faults of providers',
  N4: 'Others who write at the same time',
};

const ending = /\.(test|spec)\.tsx?$/;

function testFilesBelow(folder: string, path: string): readonly string[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'out' || entry.name === 'results') return [];
    const inside = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) return testFilesBelow(folder, inside);
    return ending.test(entry.name) ? [inside] : [];
  });
}

/** The ids that a test's name begins with (`P1 P2 …`, `C4, P12: …`) or has in brackets (`… (C7)`); one that it only mentions is not its subject. */
function idsOf(name: string): readonly string[] {
  const head = /^(?:[PCJSN]\d{1,2}[,:\s]+(?:and\s+)?)+/.exec(name)?.[0] ?? '';
  const brackets = [...name.matchAll(/\(([PCJSN]\d{1,2}(?:, [PCJSN]\d{1,2})*)\)/g)].map(([, ids = '']) => ids);
  return [head, ...brackets].flatMap((ids) => ids.match(/[PCJSN]\d{1,2}/g) ?? []).filter((id) => id in promises);
}

const namePattern = /\b(?:test|it|describe)(?:\.\w+(?:\([^)\n]*\))?)*\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1/g;

/** The table of docs/security.md: each promise with the tests that would fail without its guard. */
export function securityTable(root: string): string {
  const proofs = new Map<string, string[]>();
  const files = ['.setup', 'e2e', 'electron', 'renderer', 'shared'].flatMap((folder) => testFilesBelow(root, folder));
  for (const file of files.sort()) {
    for (const [, , name = ''] of readFileSync(join(root, file), 'utf8').matchAll(namePattern)) {
      for (const id of idsOf(name)) {
        const shown = name.replace(/\$\{.*$/, '').replace(/\\(.)/g, '$1');
        const proof = `${shown} (\`${file}\`)`;
        proofs.set(id, [...(proofs.get(id) ?? []), proof]);
      }
    }
  }
  return tableOf(
    ['id', 'against', 'tests'],
    Object.entries(promises).map(([id, what]) => [id, what, proofs.get(id)?.join('<br>') ?? 'no test of its own yet']),
  );
}
