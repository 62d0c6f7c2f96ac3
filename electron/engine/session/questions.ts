import type { Approval } from '../../../shared/model/call.ts';
import { fail } from '../../../shared/result.ts';
import { type Clock, isoTime } from '../base/clock.ts';
import type { GateCall } from '../permission/gate.ts';
import type { GateOutcome } from '../permission/outcomes.ts';
import type { RecordedAnswer } from '../permission/personsAnswer.ts';

/** Questions of the agent to the person (`ask_user`): they wait like approvals, and are answered in words. */
export interface Questions {
  ask(call: GateCall, signal: AbortSignal): Promise<GateOutcome>;
  /** False when no such question waits. `text` is absent when the person does not want to answer. Throws when it cannot be kept. */
  answer(call: string, text: string | undefined): boolean;
}

export interface QuestionParts {
  readonly clock: Clock;
  readonly put: (call: GateCall, approval: Approval) => void;
  /** Keeps what the person said, before anything follows from it. */
  readonly record: (answers: readonly RecordedAnswer[]) => void;
  readonly interactive: boolean;
  /** The one answer given beforehand on the command line. */
  readonly given?: string | undefined;
}

export function createQuestions({ clock, put, record, interactive, given }: QuestionParts): Questions {
  const waiting = new Map<string, (outcome: GateOutcome) => void>();
  const allow = (text: string | undefined): GateOutcome => ({
    decision: 'allow',
    answer: { at: isoTime(clock), decision: 'allow', by: interactive ? 'user' : 'host', text },
  });
  const deny = (result: ReturnType<typeof fail>): GateOutcome => ({
    decision: 'deny',
    answer: { at: isoTime(clock), decision: 'deny', by: 'user', reason: result.error.message },
    failure: result.error,
  });
  return {
    async ask(call, signal) {
      if (signal.aborted) return deny(fail('CANCELLED', 'Stopped before it was asked.'));
      if (given !== undefined) return allow(given);
      if (!interactive)
        return deny(
          fail('NO_USER_AVAILABLE', 'Nobody can answer here. Go on with what you know, and say what you assumed.'),
        );
      const { promise, resolve } = Promise.withResolvers<GateOutcome>();
      const stop = (): void => resolve(deny(fail('CANCELLED', 'Stopped while it waited for an answer.')));
      signal.addEventListener('abort', stop, { once: true });
      waiting.set(call.id, resolve);
      try {
        put(call, {
          askedAt: isoTime(clock),
          reasons: ['the agent asks you'],
          severe: false,
          rememberable: false,
          suggestions: [],
        });
        return await promise;
      } finally {
        waiting.delete(call.id);
        signal.removeEventListener('abort', stop);
      }
    },
    answer(call, text) {
      const resolve = waiting.get(call);
      if (!resolve) return false;
      const outcome = allow(text);
      record([{ call, answer: outcome.answer }]);
      resolve({ ...outcome, recorded: true });
      return true;
    },
  };
}
