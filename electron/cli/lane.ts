import { resolve } from 'node:path';
import * as z from 'zod';
import type { Client } from '../../shared/contract/client.ts';
import { type Lane, type LanePick, lanePickSchema } from '../../shared/model/lane.ts';
import { fail, type Result, type ToolResult } from '../../shared/result.ts';
import type { Engine } from '../engine/engine.ts';
import { forTerminal } from './base/forTerminal.ts';
import { exitCodes, type Io, refuse } from './base/io.ts';
import { type Parsed, projectOf, textFlag } from './base/parseFlags.ts';
import { withEngine } from './base/startEngine.ts';

const verbs = ['new', 'list', 'diff', 'bring-home', 'close', 'let-go'] as const;
type Verb = (typeof verbs)[number];

/** Each prints what it did in words, or the answer of the engine with --json. */
interface Call {
  readonly client: Client;
  readonly engine: Engine;
  readonly project: string;
  readonly name: string;
  readonly parsed: Parsed;
}

interface Said {
  readonly value: unknown;
  readonly words: string;
}

/** `vise lane new|list|diff|bring-home|close|let-go`: work beside the project, in working trees of its repository. */
export function runLane(parsed: Parsed, io: Io): Promise<number> {
  const [given = 'list', name = ''] = parsed.words;
  const verb = verbs.find((one) => one === given);
  return withEngine('lane', parsed, io, async ({ client, engine }) => {
    if (verb === undefined) return refuse(io, 'lane', `"${given}" is none of ${verbs.join(', ')}.`);
    if (name === '' && !['new', 'list'].includes(verb))
      return refuse(io, `lane ${verb}`, `name the lane: vise lane ${verb} NAME`);
    const project = resolve(projectOf(parsed, io));
    const said = await actions[verb]({ client, engine, project, name, parsed });
    if (!said.ok) {
      const code = said.error.code === 'PERMISSION_REQUIRED' ? exitCodes.denied : exitCodes.failed;
      return refuse(io, `lane ${verb}`, said.error.message, code);
    }
    io.out(parsed.flags['json'] === true ? `${JSON.stringify(said.value.value)}\n` : forTerminal(said.value.words));
    return exitCodes.done;
  });
}

const actions: Readonly<Record<Verb, (call: Call) => Promise<Result<Said>>>> = {
  async new({ client, project, name, parsed }) {
    const carry = parsed.flags['carry'] === true;
    const wish = { project, carry, ...(name === '' ? {} : { name }), setup: textFlag(parsed, 'setup') };
    const made = await client.call('lane.create', wish);
    if (!made.ok) return made;
    const { lane, folder, session, left, notes } = made.value;
    const more =
      left.length === 0 ? [] : [`not in the lane, since it is not committed: ${left.join(', ')} (--carry copies it)`];
    return said(made.value, [`${lane.name}  ${lane.branch}  ${folder}`, `session ${session}`, ...more, ...notes]);
  },
  async list({ client, project }) {
    const listed = await client.call('lane.list', { project });
    if (!listed.ok) return listed;
    const { lanes, told } = listed.value;
    return said(listed.value, [...told, ...(lanes.length === 0 ? ['There are no lanes here.'] : lanes.map(line))]);
  },
  async diff({ client, project, name }) {
    const files = await client.call('lane.files', { project, picks: [pickOf(name)] });
    if (!files.ok) return files;
    const lines = files.value.lanes.flatMap((lane) =>
      lane.files.flatMap(({ path, status, isHome, additions, deletions, hunks, conflicts }) => [
        `${status}  ${path}  +${additions} -${deletions}${isHome ? '  (home)' : ''}`,
        ...hunks.flatMap(({ index, line: at, removed, added }) => [
          `  hunk ${index} at line ${at}`,
          ...signed('-', removed),
          ...signed('+', added),
        ]),
        ...conflicts.map(({ hunk, why }) => `  ! ${hunk === undefined ? '' : `hunk ${hunk}: `}${why}`),
      ]),
    );
    return said(files.value, lines.length === 0 ? ['The lane changes nothing.'] : lines);
  },
  async 'bring-home'({ client, engine, project, name, parsed }) {
    const { picks, wrong } = picksOf(parsed, name);
    if (!picks) return fail('VALIDATION_ERROR', wrong);
    const { promise, resolve: finished } = Promise.withResolvers<ToolResult>();
    const ended = new Map<string, ToolResult>();
    const wanted: { call?: string } = {};
    // It may end before its name is known here.
    const listening = engine.hub.watchAll(({ event }) => {
      if (event.type !== 'tool.finished') return;
      ended.set(event.call, event.result);
      if (event.call === wanted.call) finished(event.result);
    });
    const flags = { leaveConflicts: parsed.flags['leave-conflicts'] === true, merge: parsed.flags['merge'] === true };
    const started = await client.call('lane.bringHome', { project, picks, ...flags });
    if (started.ok) wanted.call = started.value.call;
    const result = started.ok ? (ended.get(started.value.call) ?? (await promise)) : undefined;
    listening.dispose();
    if (!started.ok) return started;
    if (!result) return fail('INTERNAL', 'The call has no result.');
    if (!result.success) return { ok: false, error: result.error };
    return said({ session: started.value.session, result: result.data }, [
      `${flags.merge ? 'merged' : 'brought home'}: ${picks.map(({ lane }) => lane).join(', ')}`,
      `it can be taken back in session ${started.value.session}`,
    ]);
  },
  async close({ client, project, name, parsed }) {
    const closed = await client.call('lane.close', { project, name, discard: parsed.flags['discard'] === true });
    if (!closed.ok) return closed;
    const { commits } = closed.value;
    const kept =
      commits === 0
        ? ''
        : `; its ${commits === 1 ? 'commit is' : `${commits} commits are`} kept on vise/${name} until "vise lane let-go ${name}"`;
    return said(closed.value, [`closed: ${name}${kept}`]);
  },
  async 'let-go'({ client, project, name }) {
    const gone = await client.call('lane.letGo', { project, name });
    return gone.ok ? said({ gone: name }, [`gone: ${name}`]) : gone;
  },
};

function said(value: unknown, lines: readonly string[]): Result<Said> {
  return { ok: true, value: { value, words: `${lines.join('\n')}\n` } };
}

function line({ name, branch, state, files, additions, deletions, commits }: Lane): string {
  const counts = `${files} ${files === 1 ? 'file' : 'files'} +${additions} -${deletions}`;
  return [name, branch, state, counts, `${commits} commits`].join('  ');
}

function signed(sign: string, text: string): readonly string[] {
  return text === '' ? [] : text.split('\n').map((one) => `  ${sign}${one}`);
}

/** `--picks` names files and hunks, of several lanes if need be; else all of the one that is named. */
function picksOf(parsed: Parsed, name: string): { readonly picks?: readonly LanePick[]; readonly wrong: string } {
  const given = textFlag(parsed, 'picks');
  if (given === undefined) return { picks: [pickOf(name)], wrong: '' };
  try {
    const read = z.array(lanePickSchema).min(1).safeParse(JSON.parse(given));
    return read.success ? { picks: read.data, wrong: '' } : { wrong: `--picks: ${z.prettifyError(read.error)}` };
  } catch {
    return { wrong: '--picks takes JSON such as [{"lane": "idea", "files": [{"path": "a.txt", "hunks": [0]}]}].' };
  }
}

function pickOf(lane: string): LanePick {
  return { lane };
}
