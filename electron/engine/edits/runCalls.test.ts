import { expect, test } from 'vitest';
import * as z from 'zod';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { fail, ok } from '../../../shared/result.ts';
import { silentLog } from '../testing/silentLog.ts';
import type { CallContext } from '../tools/frame/runTool.ts';
import { type Category, defineTool, type PlannedIntent, type Tool } from '../tools/frame/tool.ts';
import { createToolset } from '../tools/frame/toolset.ts';
import type { Contents } from '../workspace/contents.ts';
import { createCallStages } from './callStages.ts';
import { runCalls } from './runCalls.ts';

const intentOf = (effects: PlannedIntent['effects']): PlannedIntent => ({
  risk: 'none',
  effects,
  targets: [],
  summary: '',
  preview: { kind: 'none' },
});

/** A tool that takes a few turns of the event loop and notes when it begins and ends. */
function slow(
  name: string,
  category: Category,
  effects: PlannedIntent['effects'],
  said: string[],
  can: () => boolean | Promise<boolean> = () => true,
): Tool {
  return defineTool({
    name,
    category,
    permission: 'none',
    about: '',
    input: () => z.object({}),
    output: () => z.unknown(),
    plan: async () =>
      (await can()) ? ok({ intent: intentOf(effects), plan: null }) : fail('FILE_NOT_FOUND', 'not yet'),
    async run() {
      said.push(`${name} begins`);
      for (let i = 0; i < 5; i += 1) await new Promise((go) => setImmediate(go));
      said.push(`${name} ends`);
      return ok({});
    },
  });
}

async function run(
  tools: readonly Tool[],
  keep: (event: SessionEvent) => void = () => undefined,
): Promise<readonly string[]> {
  const ends: string[] = [];
  const stages = createCallStages({ applyChanges: async () => ok([]) }, () => undefined);
  const context = {
    turn: 't',
    toolset: createToolset(tools),
    look: {},
    log: silentLog,
    emit(event: SessionEvent) {
      keep(event);
      if (event.type !== 'tool.finished') return;
      stages.end(event.call);
      ends.push(`${event.tool} ${event.result.success ? 'ok' : event.result.error.code}`);
    },
    forbids: () => undefined,
    deniedPaths: () => undefined,
    pass: async () => ({ decision: 'allow', answer: { at: '', decision: 'allow', by: 'level' } }),
    describe: async (intent: PlannedIntent) => ok({ intent, changes: [] }),
    compose: () => ({ changes: [], files: [] }),
    hands: () => ({}),
  } as unknown as CallContext; // what these tools use
  await runCalls(
    tools.map(({ name }) => ({ id: name, tool: name, input: {} })),
    {
      context,
      stages,
      contents: {} as Contents,
      signal: new AbortController().signal,
      limit: 8,
      past: new Map(),
      finished: () => true,
    },
  );
  return ends;
}

test('calls of the browser run one after the other: they share one page', async () => {
  const said: string[] = [];
  await run([slow('navigate', 'browser', ['network'], said), slow('read_page', 'browser', ['reads'], said)]);
  expect(said).toEqual(['navigate begins', 'navigate ends', 'read_page begins', 'read_page ends']);
});

test('what only reads runs side by side', async () => {
  const said: string[] = [];
  await run([slow('one', 'file', ['reads'], said), slow('two', 'file', ['reads'], said)]);
  expect(said).toEqual(['one begins', 'two begins', 'one ends', 'two ends']);
});

test('a refusal is looked at again when a call before it has changed the world', async () => {
  const said: string[] = [];
  const make = slow('make', 'system', ['executes'], said);
  const read = slow('read', 'file', ['reads'], said, () => said.includes('make ends'));
  expect(await run([make, read])).toEqual(['make ok', 'read ok']);
  expect(
    await run([slow('look', 'file', ['reads'], said), slow('never', 'file', ['reads'], said, () => false)]),
  ).toEqual(['never FILE_NOT_FOUND', 'look ok']);
});

test('a refusal is looked at again when a call before it ended while it was planned', async () => {
  const said: string[] = [];
  const make = slow('make', 'system', ['executes'], said);
  const read = slow('read', 'file', ['reads'], said, async () => {
    const isMade = said.includes('make ends');
    for (let i = 0; i < 50; i += 1) await new Promise((go) => setImmediate(go));
    return isMade;
  });
  expect(await run([make, read])).toEqual(['make ok', 'read ok']);
});

test('a call whose facts cannot be kept fails the reply, also while the next call is still planned', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown): void => void unheard.push(error);
  process.on('unhandledRejection', hear);
  const said: string[] = [];
  const first = slow('first', 'file', ['reads'], said);
  const second = slow('second', 'file', ['reads'], said, async () => {
    for (let i = 0; i < 50; i += 1) await new Promise((go) => setImmediate(go));
    return true;
  });
  const full = ({ type }: SessionEvent): void => {
    if (type !== 'tool.proposed') throw new Error('the journal is closed');
  };
  await expect(run([first, second], full)).rejects.toThrow('the journal is closed');
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});
