import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, productRoot, readTree, removeFolder, type Tree, writeTree } from '../e2e/harness/folders.ts';

/**
 * Kills a real engine at random operations of its disk, opens its project by another command, and counts what was lost:
 *
 *     npm run soak -- [--kills N] [--seed N]
 *
 * Each round ends when its turn has ended without a kill; then the files, the number of answers and what lies about are
 * compared with what a turn without a kill leaves. The last line is JSON; the exit code is 1 when anything was lost.
 */
const walk = join(productRoot, 'electron', 'engine', 'testing', 'crashWalk.ts');
const argument = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const kills = argument('kills', 200);
let seed = argument('seed', 1);

/** Reproducible: the same points in every run (mulberry32). */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}

const insert = (filePath: string, lineNumber: number, content: string) => ({
  tool: 'insert_at',
  input: { filePath, lineNumber, content },
});
const replies = [
  {
    text: 'I grow both.',
    calls: [insert('a.txt', 1, 'again'), insert('b.txt', 1, 'again'), insert('a.txt', 2, 'more')],
  },
  { calls: [{ tool: 'write_file', input: { filePath: 'new/c.txt', content: 'c\n' } }] },
  { text: 'Grown.' },
];
const wanted: Tree = { 'a.txt': 'again\nmore\none\n', 'b.txt': 'again\ntwo\n', 'new/c.txt': 'c\n' };

interface Run {
  readonly code: number | null;
  readonly problems: string;
  readonly killed: boolean;
}

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--no-warnings', ...args], { env: { ...process.env, ...env } });
    let problems = '';
    child.stdout.resume();
    child.stderr.on('data', (data: Buffer) => {
      problems += data.toString();
    });
    child.on('close', (code, signal) => done({ code, problems, killed: signal === 'SIGKILL' }));
  });
}

/** What a turn has left: its files, what lies about, and whether anything was asked twice. */
function faultsOf(folder: string): readonly string[] {
  const faults: string[] = [];
  const tree = readTree(join(folder, 'project'));
  const names = Object.keys({ ...tree, ...wanted });
  if (names.some((name) => tree[name] !== wanted[name])) faults.push(`the files are ${JSON.stringify(tree)}`);
  const state = join(folder, 'home', 'state');
  const applies = join(state, 'applies');
  const records = existsSync(applies) ? readdirSync(applies) : [];
  if (records.length > 0) faults.push(`records are left: ${records.join(', ')}`);
  for (const id of readdirSync(join(state, 'sessions'))) {
    const path = join(state, 'sessions', id, 'journal.jsonl');
    const journal = (() => {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return '';
      }
    })();
    const answered = journal.match(/"type":"permission.answered","call":"[^"]+"/g) ?? [];
    if (new Set(answered).size < answered.length) faults.push('a call was answered twice');
  }
  return faults;
}

const figures = { kills: 0, rounds: 0, opened: 0, lost: 0 };
const faults: string[] = [];
const operations = 450;
while (figures.kills < kills) {
  const folder = makeFolder('soak');
  writeTree(folder, {
    'project/a.txt': 'one\n',
    'project/b.txt': 'two\n',
    'script.json': JSON.stringify({ replies }),
  });
  for (let inRound = 0; ; inRound += 1) {
    const at =
      inRound >= 3 || figures.kills >= kills ? 0 : 1 + Math.floor(random() * (inRound === 0 ? operations : 60));
    const walked = await run([walk, folder, String(at), 'ask']);
    if (!walked.killed) {
      if (walked.code !== 0) faults.push(`the walk ended with ${walked.code}: ${walked.problems}`);
      break;
    }
    figures.kills += 1;
    if (random() > 0.5) continue;
    // Somebody else opens the project before its session is.
    const args = ['tool', 'read_file', '--filePath', 'a.txt', '--project', join(folder, 'project')];
    const other = await run([join(productRoot, 'electron', 'cli.ts'), ...args], { VISE_HOME: join(folder, 'home') });
    figures.opened += 1;
    const names = Object.keys(readTree(join(folder, 'project'))).filter((name) => name.includes('.vise-'));
    if (other.code !== 0) faults.push(`another command ended with ${other.code}: ${other.problems}`);
    if (names.length > 0) faults.push(`temporary files are left: ${names.join(', ')}`);
  }
  faults.push(...faultsOf(folder));
  figures.rounds += 1;
  removeFolder(folder);
}
figures.lost = faults.length;
for (const fault of faults.slice(0, 20)) process.stderr.write(`${fault}\n`);
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exitCode = figures.lost > 0 ? 1 : 0;
