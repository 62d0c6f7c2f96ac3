import type { Call } from '../../../shared/model/call.ts';
import type { WrittenCall } from '../../../shared/model/event.ts';
import type { Intent } from '../../../shared/model/intent.ts';
import { ok } from '../../../shared/result.ts';
import { type CallContext, type PlannedCall, planCall, type ReadyCall, runTool } from '../tools/frame/runTool.ts';
import type { Contents } from '../workspace/contents.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import type { CallStages } from './callStages.ts';
import { fitVerdict } from './fitVerdict.ts';
import { isReader, meets } from './meets.ts';
import { lookAfter, lookBefore } from './overlayLook.ts';
import { contentsBefore } from './proposedChanges.ts';
import { revivedChanges } from './rebaseEdits.ts';
import { canStack, sharePath } from './stackedProposal.ts';

export interface ReplyRun {
  readonly context: CallContext;
  readonly stages: CallStages;
  readonly signal: AbortSignal;
  /** Calls that run side by side; proposals that wait for an answer do not count. */
  readonly limit: number;
  /** What the journal knows of calls that were proposed before a restart. */
  readonly past: ReadonlyMap<string, Call>;
  readonly contents: Contents;
  /** Runs after each call, in the order they end; stops the rest by answering false. */
  finished(planned: PlannedCall): boolean;
}

interface Running {
  readonly id: string;
  readonly intent: Intent;
  /** Of the tool; calls of the browser share one page. */
  readonly category: string;
  /** Commands of one kind may be asked about on one card. */
  readonly alike: string | undefined;
  ended: Promise<void>;
}

/**
 * The calls of one reply: side by side where they cannot meet, one after the other where they touch the same target.
 * A call that must wait is planned again after it has waited, so that what is shown is what it will find. Proposals that
 * have no answer yet are waited for by no other proposal: it is shown on top of them, so that all edits of a reply can
 * be judged together. Alike commands run one after the other too, but are asked about at once.
 */
export async function runCalls(calls: readonly WrittenCall[], run: ReplyRun): Promise<void> {
  const running = new Set<Running>();
  const opened = new Set<string>();
  let goesOn = true;
  for (const call of calls) {
    if (!goesOn) break;
    const planned = await planInTurn(call, run, () => [...running]);
    if (!goesOn) break;
    const { intent = harmless } = planned;
    const category = planned.tool?.category ?? '';
    const alike = alikeOf(planned, run);
    const entry: Running = { id: call.id, intent, category, alike, ended: Promise.resolve() };
    run.stages.open(call.id, changesOf(planned));
    opened.add(call.id);
    entry.ended = runTool(planned, run.context, run.signal, run.past.get(call.id)).then(() => {
      running.delete(entry);
      if (!run.finished(planned)) goesOn = false;
    });
    // Its fault (no fact can be kept any more) is heard where all are waited for; until then others may be planned.
    entry.ended.catch(() => undefined);
    running.add(entry);
    // What comes after a report or a refusal is looked at in the phase that it leaves behind, or not at all.
    if (planned.state === 'refused' || planned.tool.category === 'phase') await entry.ended;
  }
  // Those that were not reached are not waited for either.
  for (const { id } of calls) if (!opened.has(id)) run.stages.end(id);
  await Promise.all([...running].map(({ ended }) => ended));
}

const harmless: Intent = { risk: 'none', effects: [], targets: [], summary: '', preview: { kind: 'none' } };

function changesOf(planned: PlannedCall): readonly ProposedChange[] {
  return planned.state === 'ready' ? planned.changes : [];
}

function alikeOf(planned: PlannedCall, { context }: ReplyRun): string | undefined {
  return planned.state === 'ready' ? context.alike?.(planned) : undefined;
}

/** The plan of a call once nothing stands in its way any more, or only the end of commands that it may be asked about with. */
async function planInTurn(
  call: WrittenCall,
  run: ReplyRun,
  running: () => readonly Running[],
  isAsked = false,
): Promise<PlannedCall> {
  const isOpen = ({ id }: Running): boolean => run.stages.proposal(id).length > 0 && run.stages.isUndecided(id);
  for (;;) {
    // What ends while it is planned may have changed what the plan looked at: it stands in the way like what still runs.
    const before = running();
    const below = before.filter(isOpen);
    const planned = await planOver(call, below, run);
    const blockers = blockersOf(planned, before, isOpen, run.stages);
    const busy = running().filter((entry) => !isOpen(entry));
    // Answered while it was planned: what it was planned over may not come true.
    const decided = below.filter((entry) => !isOpen(entry)).map(({ ended }) => ended);
    if (blockers.length > 0 && !isAsked && isAskedWith(blockers, planned, run)) {
      // Those that come later are no business of this one.
      const inTurn = () => planInTurn(call, run, () => running().filter((one) => before.includes(one)), true);
      return { ...planned, inTurn };
    }
    if (blockers.length > 0) await Promise.all(blockers.map(({ ended }) => ended));
    else if (decided.length > 0) await Promise.all(decided);
    else if (busy.length >= run.limit) await Promise.race(busy.map(({ ended }) => ended));
    else return planned;
  }
}

/** Plans a call as if the proposals below it were written, to be fitted to what came of them once that is known. */
async function planOver(
  call: WrittenCall,
  below: readonly Running[],
  { context, stages, contents, past }: ReplyRun,
): Promise<PlannedCall> {
  const { proposal } = stages;
  const look = lookAfter(
    context.look,
    below.flatMap(({ id }) => proposal(id)),
  );
  const known = past.get(call.id);
  const planned = known?.rebasedFrom
    ? await planRebased(call, known, { ...context, look }, contents)
    : await planCall(call, { ...context, look });
  const changes = changesOf(planned);
  if (planned.state === 'refused' || changes.length === 0) return planned;
  const lower = below.map(({ id }) => id).filter((id) => sharePath(proposal(id), changes));
  const paths = new Set(lower.flatMap((id) => proposal(id).map(({ path }) => path)));
  return {
    ...planned,
    proposal: () => proposal(call.id),
    async fit(verdict) {
      if (lower.length === 0) return ok(verdict);
      const decided = await stages.below(lower, call.id);
      return fitVerdict(verdict, proposal(call.id), lookAfter(context.look, decided), paths);
    },
  };
}

/** A proposal that was rebased before a restart: planned over the files it was first made for, it shows what was shown last. */
async function planRebased(
  call: WrittenCall,
  known: Call,
  context: CallContext,
  contents: Contents,
): Promise<PlannedCall> {
  const look = lookBefore(context.look, contentsBefore(known.rebasedFrom ?? []), contents);
  const planned = await planCall(call, { ...context, look });
  if (planned.state === 'refused' || !known.intent) return planned;
  const changes = await revivedChanges(known, planned.changes, contents);
  if (!changes.ok) return { call, state: 'refused', tool: planned.tool, failure: changes.error, intent: known.intent };
  return { ...planned, intent: known.intent, changes: changes.value };
}

/** Whether the person may be asked already: what is in the way are alike commands, or the question stands since before a restart. */
function isAskedWith(blockers: readonly Running[], planned: PlannedCall, run: ReplyRun): planned is ReadyCall {
  const kind = alikeOf(planned, run);
  const isKnown = run.past.get(planned.call.id)?.approval !== undefined;
  if (planned.state === 'refused' || planned.intent.preview.kind !== 'command') return false;
  if (isKnown) return blockers.every(({ intent }) => intent.preview.kind === 'command');
  return kind !== undefined && blockers.every(({ alike }) => alike === kind);
}

function blockersOf(
  planned: PlannedCall,
  running: readonly Running[],
  isOpen: (entry: Running) => boolean,
  stages: CallStages,
): readonly Running[] {
  // A report moves the phase: what stands before it in the reply ends first.
  if (planned.state === 'ready' && planned.tool.category === 'phase') return running;
  // What does not work now may work once the calls before it have changed the world; it was planned over the proposals.
  if (planned.state === 'refused' && planned.tool && planned.failure.code !== 'PHASE_FORBIDDEN')
    return running.filter((entry) => !isReader(entry.intent) && !isOpen(entry));
  const { intent, tool } = planned;
  return running.filter(
    (entry) =>
      intent !== undefined &&
      (meets(entry.intent, intent) || (tool?.category === 'browser' && entry.category === 'browser')) &&
      !(isOpen(entry) && canStack(stages.proposal(entry.id), changesOf(planned))),
  );
}
