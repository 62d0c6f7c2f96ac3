import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder, readTree, removeFolder, type Tree, writeTree } from '../../e2e/harness/folders.ts';
import { findLeftovers } from '../leftovers.ts';

/** Chance that is the same in every run of a seed (mulberry32): 0 up to 1. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const insert = (filePath: string, lineNumber: number, content: string) => ({
  tool: 'insert_at',
  input: { filePath, lineNumber, content },
});

/** What the agent does: inserting is not idempotent, so what is done twice shows. */
const edits = [
  {
    text: 'I grow both.',
    calls: [insert('a.txt', 1, 'again'), insert('b.txt', 1, 'again'), insert('a.txt', 2, 'more')],
  },
  { calls: [{ tool: 'write_file', input: { filePath: 'new/c.txt', content: 'c\n' } }] },
  { calls: [{ tool: 'apply_unified_diff', input: { diff: '--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' } }] },
];
const command = { calls: [{ tool: 'run', input: { command: 'sleep 0.2; echo ran >> log.txt' } }] };
export const withCommand = [...edits, command, { text: 'Grown.' }];
export const withoutCommand = [...edits, { text: 'Grown.' }];

const begun: Tree = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'old.txt': 'old\n', 'mine.txt': 'mine\n' };
/** Every content that a file of the set may have on the way; the last is what it ends with. */
const stages: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'a.txt': ['one\n', 'again\none\n', 'again\nmore\none\n'],
  'b.txt': ['two\n', 'again\ntwo\n'],
  'new/c.txt': [undefined, 'c\n'],
  'old.txt': ['old\n', undefined],
};

/** One project and one state folder of a round, and what is wrong with them at its end. */
export interface Scratch {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  /** In the environment of all that a round starts. */
  readonly mark: string;
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
  /** The person changes a file of the project that the agent has nothing to do with. */
  personWrites(): void;
  /** Whether a session has begun its turn, and whether it has ended it. */
  turn(): 'none' | 'open' | 'ended';
  /** What must hold after every next opening: no temporary file, no record. `whole`: the turn has ended as it should. */
  faults(whole: boolean): readonly string[];
  /** Processes that the round has left. */
  leftovers(): readonly number[];
  remove(): void;
}

export function makeScratch(replies: readonly unknown[]): Scratch {
  const folder = makeFolder('soak');
  const project = join(folder, 'project');
  const home = join(folder, 'vise');
  const mark = folder;
  const script = join(folder, 'script.json');
  let mine = 'mine\n';
  writeTree(project, begun);
  writeFileSync(script, JSON.stringify({ replies }));
  const journals = (): readonly string[] => {
    const sessions = join(home, 'state', 'sessions');
    if (!existsSync(sessions)) return [];
    return readdirSync(sessions)
      .map((id) => join(sessions, id, 'journal.jsonl'))
      .filter((path) => existsSync(path))
      .map((path) => readFileSync(path, 'utf8'));
  };
  /** The disk refused the first edit, the model was told, and the edit after it found room again: each is whole. */
  const isOfRefused = (content: string | undefined): boolean =>
    content === 'one\nmore\n' &&
    journals().some((text) =>
      /"type":"tool.finished","call":"[^"]+","tool":"insert_at","result":\{"success":false/.test(text),
    );
  const leftovers = (): readonly number[] => findLeftovers(0, `SOAK_MARK=${mark}`).map(({ pid }) => pid);
  return {
    folder,
    project,
    home,
    mark,
    script,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      VISE_HOME: home,
      VISE_SCRIPT: script,
      SOAK_MARK: mark,
      NO_COLOR: '1',
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
    },
    personWrites() {
      mine += 'more of mine\n';
      writeFileSync(join(project, 'mine.txt'), mine);
    },
    turn() {
      const all = journals().join('');
      if (!all.includes('"type":"turn.started"')) return 'none';
      return all.includes('"type":"turn.finished"') ? 'ended' : 'open';
    },
    faults(whole) {
      const faults: string[] = [];
      const tree = readTree(project);
      const temporary = Object.keys(tree).filter((name) => name.includes('.vise-'));
      if (temporary.length > 0) faults.push(`temporary files are left: ${temporary.join(', ')}`);
      if (tree['mine.txt'] !== mine) faults.push(`what the person wrote is ${JSON.stringify(tree['mine.txt'])}`);
      for (const [name, contents] of Object.entries(stages)) {
        const fits = whole ? contents.at(-1) === tree[name] : contents.includes(tree[name]) || isOfRefused(tree[name]);
        if (!fits) faults.push(`${name} is ${JSON.stringify(tree[name])}`);
      }
      if ((tree['log.txt'] ?? '').split('ran').length > 2) faults.push('a command ran twice');
      const applies = join(home, 'state', 'applies');
      const records = existsSync(applies) ? readdirSync(applies) : [];
      if (records.length > 0) faults.push(`records are left: ${records.join(', ')}`);
      for (const journal of journals()) {
        const answered = journal.match(/"type":"permission.answered","call":"[^"]+"/g) ?? [];
        if (new Set(answered).size < answered.length) faults.push('a call was answered twice');
      }
      return faults;
    },
    leftovers,
    remove() {
      for (const pid of leftovers()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // it has ended meanwhile
        }
      }
      removeFolder(folder);
    },
  };
}
