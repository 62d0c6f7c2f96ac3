import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { ErrorCode } from '../../../shared/errorCode.ts';
import type { Brought } from '../../../shared/model/brought.ts';
import type { FileVerdict } from '../../../shared/model/change.ts';
import { ok, type ToolResult, toolResult } from '../../../shared/result.ts';
import { readingHands } from '../tools/frame/readingHands.ts';
import { withWarnings } from '../tools/frame/runTool.ts';
import { frameErrors, type Hands, type PreparedCall, type Tool } from '../tools/frame/tool.ts';
import { composeVerdict } from '../workspace/composeVerdict.ts';
import { type Contents, createContents } from '../workspace/contents.ts';
import { createFileHands, type FileHands } from '../workspace/hands.ts';
import { createLook, type Look } from '../workspace/look.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { createSandbox } from '../workspace/sandbox.ts';
import { assertFitsOutput } from './fitsOutput.ts';

export interface Trial {
  /** Runs one call as the engine would once a person allowed it. */
  tool(tool: Tool, input: unknown, options?: TrialOptions): Promise<ToolResult>;
  /** Looks only. */
  plan(tool: Tool, input: unknown): Promise<PreparedCall>;
  readonly look: Look;
  /** What the calls said that they brought, in their order. */
  readonly brought: readonly Brought[];
}

export interface TrialOptions {
  /** What the person decided; without it everything is allowed. */
  readonly verdicts?: readonly FileVerdict[];
  /** Happens after the proposal was shown and before it runs. */
  readonly meanwhile?: () => void;
  readonly signal?: AbortSignal;
}

/** For tests of tools: real files, the real look and the real writer; only gate, session and commands are left out. */
export async function tryIn(root: string, kept?: Contents): Promise<Trial> {
  const sandbox = await createSandbox({ roots: [root] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const look = createLook(sandbox.value);
  const state = realpathSync(mkdtempSync(path.join(tmpdir(), 'vise-state-')));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const contents = kept ?? createContents({ folder: state });
  const files = createFileHands({
    sandbox: sandbox.value,
    contents,
    records: path.join(state, 'applies'),
    session: 's',
  });
  const brought: Brought[] = [];
  return {
    look,
    brought,
    async plan(tool, input) {
      const prepared = await tool.prepare(input, look);
      if (!prepared.ok) throw new Error(`${prepared.error.code}: ${prepared.error.message}`);
      return prepared.value;
    },
    async tool(tool, input, { verdicts, meanwhile, signal = new AbortController().signal } = {}) {
      const prepared = await tool.prepare(input, look);
      if (!prepared.ok) return declared(tool, toolResult(prepared));
      const { preview } = prepared.value.intent;
      const proposed = preview.kind === 'changes' ? await shown(files, preview.changes) : ok([]);
      if (!proposed.ok) return toolResult(proposed);
      meanwhile?.();
      const verdict = composeVerdict(proposed.value, verdicts);
      const result = declared(
        tool,
        toolResult(await prepared.value.run(handsOf(look, files, contents, signal, brought), verdict)),
      );
      return withWarnings(result, prepared.value);
    },
  };
}

/** A code or data that the tool does not declare is a gap in what is promised of it. */
function declared(tool: Tool, result: ToolResult): ToolResult {
  const { name, errors } = tool;
  assertFitsOutput(tool, result);
  const known: readonly ErrorCode[] | undefined = errors && [...errors, ...frameErrors];
  if (known && !result.success && !known.includes(result.error.code))
    throw new Error(`${name} answered ${result.error.code}, which it does not declare: ${result.error.message}`);
  return result;
}

async function shown(files: FileHands, changes: readonly ProposedChange[]) {
  const placed: ProposedChange[] = [];
  for (const change of changes) {
    const described = await files.describeChange(change);
    if (!described.ok) return described;
    placed.push(described.value.proposed);
  }
  return ok(placed);
}

function handsOf(look: Look, files: FileHands, contents: Contents, signal: AbortSignal, brought: Brought[]): Hands {
  return {
    ...readingHands(look, 'call-1', signal),
    async bringPicture(bytes, facts) {
      const kept = await contents.put(bytes);
      if (!kept.ok) return kept;
      const picture = { content: kept.value, ...facts };
      brought.push({ pictures: [picture] });
      return ok(picture);
    },
    bring: (one) => brought.push(one),
    applyChanges: (changes, outcomes) => files.applyChanges(changes, outcomes),
  };
}
