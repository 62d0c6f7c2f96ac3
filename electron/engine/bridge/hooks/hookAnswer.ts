import * as z from 'zod';
import { plainText } from '../../exec/plainText.ts';
import type { HookEvent } from '../../project/hookSettings.ts';
import type { ProgramOutcome } from '../cliSpec/program.ts';

/** What one hook has said. Nothing of it allows anything. */
export interface HookAnswer {
  /** Why the call or the message is refused, or the turn is to go on. */
  readonly refusal?: string;
  /** Why the person is to be asked, whatever rules say. */
  readonly asks?: string;
  /** For the model. */
  readonly context?: string;
  /** For the person. */
  readonly message?: string;
  /** Why the turn is to end. */
  readonly ends?: string;
  /** What went wrong with it, in words. */
  readonly fault?: string;
}

/** Longer texts of a hook are cut: they stand in each later request. */
const maxChars = 10_000;

const answerSchema = z.lazy(() =>
  z.object({
    continue: z.boolean().optional(),
    stopReason: z.string().optional(),
    systemMessage: z.string().optional(),
    decision: z.enum(['approve', 'block']).optional(),
    reason: z.string().optional(),
    hookSpecificOutput: z
      .object({
        permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
        permissionDecisionReason: z.string().optional(),
        additionalContext: z.string().optional(),
      })
      .optional(),
  }),
);

/** What plain words on standard output mean: for these the model reads them. */
const saysContext: ReadonlySet<HookEvent> = new Set(['SessionStart', 'UserPromptSubmit']);

/**
 * What a program that ended so has said: exit code 2 refuses with what stands on standard error, 0 answers with JSON or plain
 * words on standard output, anything else is a fault that refuses nothing.
 */
export function readAnswer(event: HookEvent, outcome: ProgramOutcome, timeoutMs: number): HookAnswer {
  const { ended, exitCode, failure } = outcome;
  if (ended === 'timeout') return { fault: `was ended after ${timeoutMs / 1000} s without an answer` };
  if (ended === 'overflow') return { fault: 'was ended because it wrote too much' };
  if (ended === 'cancelled') return { fault: 'was stopped' };
  if (ended === 'failed') return { fault: `could not be started: ${clean(failure ?? '')}` };
  const stderr = clean(outcome.stderr);
  if (exitCode === 2) return event === 'SessionStart' ? { fault: `ended with 2: ${stderr}` } : refusalOf(event, stderr);
  if (exitCode !== 0) {
    const how = exitCode === null ? (outcome.signal ?? 'a signal') : String(exitCode);
    return { fault: `ended with ${how}${stderr === '' ? '' : `: ${firstLine(stderr)}`}` };
  }
  const said = outcome.stdout.trim();
  if (!said.startsWith('{')) return saysContext.has(event) && said !== '' ? { context: clean(said) } : {};
  return readJson(event, said);
}

function readJson(event: HookEvent, text: string): HookAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'answered with JSON that cannot be read' };
  }
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) return { fault: 'answered with JSON that is no answer of a hook' };
  const { continue: goesOn, stopReason, systemMessage, decision, reason, hookSpecificOutput: own } = parsed.data;
  const { permissionDecision, permissionDecisionReason: why = reason, additionalContext } = own ?? {};
  const isBefore = event === 'PreToolUse';
  const refuses = event !== 'SessionStart' && (decision === 'block' || (isBefore && permissionDecision === 'deny'));
  return {
    ...(refuses ? refusalOf(event, clean((isBefore ? why : reason) ?? '')) : {}),
    asks: isBefore && permissionDecision === 'ask' ? clean(why ?? 'it wants the person to look') : undefined,
    context: textOf(additionalContext),
    message: textOf(systemMessage),
    ends: goesOn === false ? clean(stopReason ?? 'no reason given') : undefined,
  };
}

function refusalOf(event: HookEvent, said: string): HookAnswer {
  if (said !== '') return { refusal: said };
  // Without a reason a turn that goes on would not know with what.
  return event === 'Stop' ? { fault: 'wants the turn to go on and gives no reason' } : { refusal: 'no reason given' };
}

const textOf = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : clean(text);

/** Without what a terminal or a reader would obey, and bounded. */
function clean(text: string): string {
  const plain = plainText(text.slice(0, 4 * maxChars)).trim();
  return plain.length <= maxChars ? plain : `${plain.slice(0, maxChars)} … (cut)`;
}

function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').slice(0, 300);
}
