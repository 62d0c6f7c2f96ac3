import type { Call } from '../../../shared/model/call.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Contents } from '../workspace/contents.ts';
import type { FileHands } from '../workspace/hands.ts';
import type { Look } from '../workspace/look.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { decodeText, textFileOf } from '../workspace/textFile.ts';
import type { CallStages } from './callStages.ts';
import { fitChange } from './fitVerdict.ts';
import { lookAfter } from './overlayLook.ts';
import { changesOf } from './proposedChanges.ts';

export interface RebaseDeps {
  readonly session: { readonly state: SessionState; emitTogether(events: readonly SessionEvent[]): void };
  readonly stages: CallStages;
  readonly hands: FileHands;
  readonly look: Look;
}

/**
 * Makes the proposals that wait, and whose files have moved on, on the files as they are now; a file of which one hunk meets
 * what was changed there stays as it was proposed and is named. Errors: those of `describeChange`; nothing is changed then.
 */
export async function rebaseEdits({
  session,
  stages,
  hands,
  look,
}: RebaseDeps): Promise<Result<{ readonly files: readonly string[]; readonly conflicts: readonly string[] }>> {
  const below: ProposedChange[] = [];
  const files = new Set<string>();
  const conflicts = new Set<string>();
  const facts: SessionEvent[] = [];
  const proposals: { readonly call: string; readonly changes: readonly ProposedChange[] }[] = [];
  for (const { id: call, state } of liveCallsOf(session.state)) {
    const shown = stages.proposal(call);
    const now = await Promise.all(shown.map((change) => rebased(change, lookAfter(look, below))));
    if (state === 'waiting' && now.some((one) => one !== 'fresh' && one !== 'conflict')) {
      const changes: Change[] = [];
      const proposed: ProposedChange[] = [];
      for (const [index, change] of shown.entries()) {
        const one = now[index];
        const described = await hands.describeChange(typeof one === 'object' ? one : change);
        if (!described.ok) return described;
        changes.push(described.value.change);
        proposed.push(described.value.proposed);
      }
      facts.push({ type: 'change.rebased', call, changes });
      proposals.push({ call, changes: proposed });
    }
    for (const [index, change] of shown.entries()) {
      const one = now[index];
      if (one === 'conflict') conflicts.add(change.path);
      if (typeof one === 'object') files.add(change.path);
      below.push(typeof one === 'object' ? one : change);
    }
  }
  if (facts.length > 0) session.emitTogether(facts);
  for (const { call, changes } of proposals) stages.propose(call, changes);
  return ok({ files: [...files], conflicts: [...conflicts] });
}

async function rebased(change: ProposedChange, look: Look): Promise<ProposedChange | 'fresh' | 'conflict'> {
  const now = await look.readBytes(change.oldPath ?? change.path);
  if ((now.ok ? now.value.hash : null) === (change.before?.hash ?? null)) return 'fresh';
  const base = now.ok ? textFileOf(now.value) : now;
  const fitted = base.ok ? fitChange(change, base.value) : undefined;
  return fitted && fitted.lost.length === 0 ? fitted.change : 'conflict';
}

/**
 * The changes of a proposal as they were shown last, after a restart: what was rebased comes from the kept contents, the rest
 * is as it was planned. Errors: FILE_NOT_FOUND (a content is no longer kept), BINARY_FILE.
 */
export async function revivedChanges(
  call: Call,
  planned: readonly ProposedChange[],
  contents: Contents,
): Promise<Result<readonly ProposedChange[]>> {
  const revived: ProposedChange[] = [];
  const originals = new Map(call.rebasedFrom?.map((change) => [change.path, change]));
  for (const change of changesOf(call)) {
    const plan = planned.find(({ path }) => path === change.path);
    const original = originals.get(change.path);
    if (!plan) continue;
    if (change.before === null || change.after === null || original?.before === change.before) {
      revived.push(plan);
      continue;
    }
    const bytes = await contents.get(change.before);
    if (!bytes.ok) return bytes;
    const facts = { hash: change.before, sizeBytes: bytes.value.length, modifiedAt: '' };
    const before = textFileOf({ bytes: bytes.value, mode: plan.before?.mode ?? 0o644, ...facts });
    if (!before.ok) return before;
    const wanted = await contents.get(change.after);
    const after = wanted.ok ? decodeText(wanted.value) : wanted;
    if (!after.ok) return after;
    revived.push({ ...plan, before: before.value, after: { text: after.value.text, like: before.value } });
  }
  return ok(revived);
}
