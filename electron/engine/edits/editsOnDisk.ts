import type { Call } from '../../../shared/model/call.ts';
import type { AppliedFile, ContentId } from '../../../shared/model/change.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { ok, type ToolResult, toolResult } from '../../../shared/result.ts';
import { readingHands } from '../tools/frame/readingHands.ts';
import type { Hands } from '../tools/frame/tool.ts';
import type { Toolset } from '../tools/frame/toolset.ts';
import { composeVerdict } from '../workspace/composeVerdict.ts';
import type { Contents } from '../workspace/contents.ts';
import type { Look } from '../workspace/look.ts';
import { lookBefore } from './overlayLook.ts';
import { changesOf, contentsAfter, contentsBefore } from './proposedChanges.ts';

/** What a call that proposed changes has left on the disk, found out after a crash. */
export interface EditsOnDisk {
  /**
   * `untouched`: nothing was written yet. `written`: all of it. `unknown`: neither, so somebody wrote in between.
   * `group`: the calls that are written together with this one, in their order, itself among them.
   */
  state(call: Call, group?: readonly Call[]): Promise<'untouched' | 'written' | 'unknown'>;
  /** The result that the call would have had, told from the contents before and the fact of what was applied. */
  result(call: Call, state: SessionState): Promise<ToolResult>;
}

export interface EditsOnDiskDeps {
  readonly look: Look;
  readonly contents: Contents;
  readonly toolset: Toolset;
}

export function createEditsOnDisk({ look, contents, toolset }: EditsOnDiskDeps): EditsOnDisk {
  return {
    async state(call, group = [call]) {
      if (call.changeSet !== undefined) return 'written';
      const changes = group.flatMap(changesOf);
      if (await allAre(look, contentsAfter(changes))) return 'written';
      return (await allAre(look, contentsBefore(changes))) ? 'untouched' : 'unknown';
    },
    async result(call, state) {
      const own = new Set(changesOf(call).map(({ path }) => path));
      const set = state.changeSets.find(({ id }) => id === call.changeSet);
      const files = (set?.files ?? []).filter(({ path }) => set?.calls === undefined || own.has(path));
      return (await toldAgain(call, files, { look, contents, toolset })) ?? plainResult(files);
    },
  };
}

/** Whether each of these paths has this content (null: is missing) now. */
export async function allAre(look: Look, wanted: ReadonlyMap<string, ContentId | null>): Promise<boolean> {
  for (const [path, id] of wanted) {
    const read = await look.readBytes(path);
    const now = read.ok ? read.value.hash : read.error.code === 'FILE_NOT_FOUND' ? null : undefined;
    if (now !== id) return false;
  }
  return wanted.size > 0;
}

/**
 * Runs the tool over the project as it was, with hands that answer what was applied and write nothing. Nothing when the
 * person had changed the proposal: their verdict is not known any more.
 */
async function toldAgain(
  call: Call,
  files: readonly AppliedFile[],
  { look, contents, toolset }: EditsOnDiskDeps,
): Promise<ToolResult | undefined> {
  if (files.length === 0 || files.some(({ verdict }) => verdict !== 'applied')) return undefined;
  const past = lookBefore(look, contentsBefore(changesOf(call)), contents);
  const prepared = await toolset.find(call.tool)?.prepare(call.input, past);
  if (!prepared?.ok || prepared.value.intent.preview.kind !== 'changes') return undefined;
  const hands: Hands = { ...readingHands(past, call.id), applyChanges: async () => ok(files) };
  const { intent, warnings } = prepared.value;
  if (intent.preview.kind !== 'changes') return undefined;
  const result = toolResult(await prepared.value.run(hands, composeVerdict(intent.preview.changes, undefined)));
  return warnings.length > 0 ? { ...result, warnings } : result;
}

function plainResult(files: readonly AppliedFile[]): ToolResult {
  return { success: true, data: { recovered: true, files: files.map(({ path, verdict }) => ({ path, verdict })) } };
}
