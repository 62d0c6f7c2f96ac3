import { liveCallsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { costText } from '../../../shared/text/amounts.ts';
import { shortId } from '../base/ids.ts';
import type { Questions } from '../session/questions.ts';
import type { Session } from '../session/session.ts';
import { type Caps, endAtCap, reachedCap } from '../session/spend.ts';
import type { TurnDeps } from '../session/turnDeps.ts';

export interface CapGuardDeps {
  readonly session: Session;
  readonly caps: (state: SessionState) => Caps;
  /** US dollars of all sessions today. */
  readonly today: () => number;
  /** Whether a person can be asked; else the turn ends at a cap. */
  readonly interactive: boolean;
  /** Whether the model's price is known. */
  readonly isPriced: () => boolean;
  readonly model: () => string;
  readonly questions: Questions;
}

const tool = 'ask_user';

/** Holds the caps of a turn: at one of them the person decides, or the turn ends. Going on doubles what has been reached. */
export function createCapGuard(deps: CapGuardDeps): TurnDeps['mayAsk'] {
  const { session, interactive } = deps;
  let allowedRequests = 0;
  /** What the person let go on beyond the day's cap; it ends with the program. */
  let allowedToday = 0;
  return async (turn, requests, signal) => {
    const set = deps.caps(session.state);
    const caps = {
      session: set.session,
      day: set.day === null ? null : Math.max(set.day, allowedToday),
      requests: Math.max(set.requests, allowedRequests),
    };
    if (requests === 0 && (caps.session !== null || caps.day !== null) && !deps.isPriced()) {
      const text = `The price of ${deps.model()} is unknown, so the cap on costs cannot be held. Set "models": {"${deps.model()}": {"price": {"input": …, "output": …}}} in config.json (US dollars for a million tokens), or leave the cap out.`;
      return { ...endAtCap(text), outcome: 'failed' };
    }
    const reached = reachedCap(session.state, caps, requests, deps.today);
    if (!reached) return undefined;
    if (!interactive) return endAtCap(`${reached.text} Raise the cap to go on.`);
    const next = 2 * reached.amount;
    const nextText = reached.what === 'requests' ? String(next) : costText(next);
    const goesOn = await ask(deps, turn, `${reached.text} Go on, up to ${nextText}?`, signal);
    if (!goesOn) return endAtCap(reached.text);
    if (reached.what === 'session') session.emit({ type: 'session.configured', maxCost: next });
    else if (reached.what === 'day') allowedToday = next;
    else allowedRequests = next;
    return undefined;
  };
}

/** A question as the agent's own are, so that inbox, notification and terminal know it. */
async function ask(
  { session, questions }: CapGuardDeps,
  turn: string,
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  // One from before a restart: nobody waits for it any more.
  for (const old of liveCallsOf(session.state).filter((one) => one.tool === tool && isCapCall(one.id)))
    session.emit({
      type: 'tool.finished',
      call: old.id,
      tool,
      result: { success: false, error: { code: 'CANCELLED', message: 'It is asked anew.' } },
    });
  const call = `${capCall}${shortId('')}`;
  const intent = {
    risk: 'none',
    effects: [],
    targets: [],
    summary: 'Ask: a cap is reached',
    preview: { kind: 'question', question, choices: ['Go on', 'Stop here'] },
  } as const;
  session.emit({ type: 'tool.proposed', call, turn, tool, level: 'none', input: { question }, intent });
  const outcome = await questions.ask({ id: call, tool, category: 'system', level: 'none', intent }, signal);
  const answer = outcome.decision === 'allow' ? (outcome.answer.text ?? 'no') : 'no';
  session.emitTogether([
    ...(outcome.recorded ? [] : [{ type: 'permission.answered', call, answer: outcome.answer } as const]),
    { type: 'tool.finished', call, tool, result: { success: true, data: { question, answer } } },
  ]);
  return !signal.aborted && !/^\s*(?:no?|stop|nein)\b|^\s*[否不]/i.test(answer);
}

const capCall = 'cap_';

function isCapCall(id: string): boolean {
  return id.startsWith(capCall);
}
