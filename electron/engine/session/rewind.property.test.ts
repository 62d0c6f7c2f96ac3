import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { AppliedChangeSet, AppliedFile } from '../../../shared/model/change.ts';
import type { Envelope, SessionEvent } from '../../../shared/model/event.ts';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession, type SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf, timelineLength } from '../../../shared/model/timeline.ts';
import { ok } from '../../../shared/result.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { treeOf } from '../workspace/testing/testFolder.ts';
import { type TestHands, testHands } from '../workspace/testing/testHands.ts';
import { plainStyle } from '../workspace/textFile.ts';
import { rewindSession } from './rewindSession.ts';
import type { Session } from './session.ts';

type Tree = Readonly<Record<string, string>>;
/** A point that was passed: its files, and what stood in the conversation. */
interface Passed {
  readonly tree: Tree;
  readonly items: readonly unknown[];
}

/** A session of facts in memory over real files. */
function factsOver({ hands }: TestHands) {
  const facts: Envelope[] = [];
  let state: SessionState = emptySession;
  const emit = (event: SessionEvent): void => {
    const fact = { seq: facts.length + 1, at: new Date(facts.length).toISOString(), session: 's', event };
    facts.push(fact);
    state = reduce(state, fact);
  };
  emit({ type: 'session.started', id: 's', project: '', title: '', mode: 'direct', provider: '', model: '' });
  const session = {
    get state() {
      return state;
    },
    emit,
    emitTogether: (events: readonly SessionEvent[]) => events.forEach(emit),
  } as unknown as Session; // what a rewind uses of it
  return { facts, session, emit, deps: { session, hands, read: () => ok(facts) } };
}

/** Folders that became empty hold no byte: they are left out. */
const filesOf = (root: string): Tree =>
  Object.fromEntries(Object.entries(treeOf(root)).filter(([name]) => !name.endsWith('/')));

const names = ['a', 'b', 'd/c', 'd/e/f', 'g'] as const;
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      files: fc.uniqueArray(
        fc.record({ name: fc.constantFrom(...names), text: fc.option(fc.string({ maxLength: 12 }), { freq: 4 }) }),
        { minLength: 1, maxLength: 4, selector: ({ name }) => name },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rename' as const),
      from: fc.constantFrom(...names),
      to: fc.constantFrom(...names),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('redo' as const) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

async function proposed(made: TestHands, operation: Operation): Promise<readonly ProposedChange[]> {
  const tree = filesOf(made.root);
  if (operation.kind === 'write') {
    const real = operation.files.filter(({ name, text }) =>
      text === null ? tree[name] !== undefined : tree[name] !== text,
    );
    return Promise.all(real.map(({ name, text }) => made.propose(name, text)));
  }
  if (operation.kind !== 'rename' || tree[operation.from] === undefined || tree[operation.to] !== undefined) return [];
  const read = await made.look.readText(operation.from);
  if (!read.ok) throw new Error(read.error.message);
  const after = { text: read.value.text, like: plainStyle };
  return [{ path: operation.to, oldPath: operation.from, status: 'renamed', before: read.value, after }];
}

test('1,000 random points of long journals: every byte is as it was recorded, and so is the conversation', async () => {
  // Thousands of small synced writes: in memory, where there is such a folder.
  if (existsSync('/dev/shm')) vi.stubEnv('TMPDIR', '/dev/shm');
  let points = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 24, maxLength: 40 }),
      fc.array(fc.record({ at: fc.nat(), bySet: fc.boolean() }), { minLength: 45, maxLength: 45 }),
      async (operations, goals) => {
        const made = await testHands({ a: 'first', 'd/c': 'c' });
        const { facts, session, emit, deps } = factsOver(made);
        const beforeItem: Passed[] = [];
        const beforeSet = new Map<string, Tree>();
        const undone: AppliedChangeSet[] = [];
        for (const [number, one] of operations.entries()) {
          beforeItem.push({ tree: filesOf(made.root), items: [...itemsOf(session.state.items)] });
          const turn = `t${number}`;
          emit({ type: 'turn.started', turn, text: `message ${number}` });
          const set = session.state.changeSets.findLast(({ state }) => state === 'applied');
          if (one.kind === 'undo' && set && (await made.hands.undoChangeSet(set.files)).ok) {
            emit({ type: 'change.undone', changeSet: set.id, files: set.files.map(({ path }) => path) });
            undone.push(set);
          } else if (one.kind === 'redo') {
            const back = undone.pop();
            if (back && (await made.hands.redoChangeSet(back.files)).ok)
              emit({ type: 'change.redone', changeSet: back.id, files: back.files.map(({ path }) => path) });
          } else {
            const changes = await proposed(made, one);
            const before = filesOf(made.root);
            const written =
              changes.length > 0 ? await made.hands.applyChanges(changes) : ok<readonly AppliedFile[]>([]);
            if (!written.ok) throw new Error(written.error.message);
            if (written.value.length > 0) {
              beforeSet.set(turn, before);
              emit({ type: 'change.applied', changeSet: turn, call: turn, turn, files: written.value });
            }
          }
          emit({ type: 'turn.finished', turn, outcome: 'done', text: '' });
        }
        const sets = [...beforeSet.keys()];
        for (const { at, bySet } of goals) {
          points += 1;
          const set = bySet ? sets[at % sets.length] : undefined;
          const item = (at % operations.length) * 2;
          const done = await rewindSession(deps, {
            to: set === undefined ? { item } : { changeSet: set },
            what: 'files',
            preview: false,
          });
          expect(done).toMatchObject({ ok: true, value: { left: [], items: 0 } });
          expect(filesOf(made.root)).toEqual(set === undefined ? beforeItem[item / 2]?.tree : beforeSet.get(set));
        }
        // Further and further back with the conversation, and each time as it was.
        for (let item = (operations.length - 1) * 2; item >= 0; item -= 14) {
          points += 1;
          const done = await rewindSession(deps, { to: { item }, what: 'both', preview: false });
          expect(done.ok).toBe(true);
          const now = [...itemsOf(session.state.items)];
          expect({ tree: filesOf(made.root), items: now.slice(0, -1) }).toEqual(beforeItem[item / 2]);
          expect(now).toHaveLength(item + 1);
          expect(timelineLength(session.state.items)).toBe(item + 1);
        }
        expect(facts.reduce(reduce, emptySession)).toEqual(session.state);
      },
    ),
    { numRuns: 22, endOnFailure: true },
  );
  expect(points).toBeGreaterThanOrEqual(1_000);
}, 120_000);
