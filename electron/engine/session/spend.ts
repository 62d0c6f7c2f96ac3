import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { type Clock, isoTime } from '../base/clock.ts';
import type { End } from './turnEnd.ts';

/** What was paid today, by all sessions of this user; one line a request, so that several programs may write. */
export interface SpendLedger {
  today(): number;
  add(dollars: number): void;
}

/** A file a day below `folder`. What cannot be read counts as nothing: a broken ledger stops no work. */
export function createSpendLedger(folder: string, clock: Clock): SpendLedger {
  const file = (): string => join(folder, `${isoTime(clock).slice(0, 10)}.txt`);
  return {
    today() {
      try {
        return readFileSync(file(), 'utf8')
          .split('\n')
          .reduce((sum, line) => sum + (Number(line) || 0), 0);
      } catch {
        return 0;
      }
    },
    add(dollars) {
      if (dollars <= 0) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendFileSync(file(), `${dollars}\n`, { mode: 0o600 });
    },
  };
}

export interface Caps {
  /** US dollars of this session and of all sessions of a day; null: no cap. */
  readonly session: number | null;
  readonly day: number | null;
  readonly requests: number;
}

/** The session's own cap comes before the command line's, that before the settings'. */
export function capsOf(state: SessionState, settings: Settings, given: number | undefined): Caps {
  return {
    session: state.maxCost ?? given ?? settings.spend.session,
    day: settings.spend.day,
    requests: settings.agent.maxRequests,
  };
}

/** What has reached its cap; undefined while nothing has. */
export function reachedCap(
  { usage }: SessionState,
  caps: Caps,
  requests: number,
  today: () => number,
): { readonly what: 'session' | 'day' | 'requests'; readonly text: string } | undefined {
  const cost = usage.cost ?? 0;
  if (caps.session !== null && cost >= caps.session)
    return { what: 'session', text: `The session has cost ${dollars(cost)}; its cap is ${dollars(caps.session)}.` };
  if (caps.day !== null && today() >= caps.day)
    return {
      what: 'day',
      text: `Today's sessions have cost ${dollars(today())}; the cap of a day is ${dollars(caps.day)}.`,
    };
  if (requests >= caps.requests)
    return {
      what: 'requests',
      text: `The turn has sent ${requests} requests, which is the most of one turn (agent.maxRequests).`,
    };
  return undefined;
}

/** The end of a turn at a cap. */
export function endAtCap(text: string): End {
  return { outcome: 'blocked', text, error: { code: 'LIMIT_EXCEEDED', message: text } };
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}
