import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { addUsage, noUsage, type Usage } from '../../../shared/model/usage.ts';
import { costText } from '../../../shared/text/amounts.ts';
import type { Clock } from '../base/clock.ts';
import type { End } from './turnEnd.ts';

/** What was used today, by all sessions of this user; one line a request, so that several programs may write. */
export interface SpendLedger {
  today(): Usage;
  add(usage: Usage): void;
}

/**
 * A file a day below `folder`; a line has dollars, input, cached input, output, and dollars that the cache saved, with `-`
 * for dollars where no price is known. What cannot be read counts as nothing: a broken ledger stops no work.
 */
export function createSpendLedger(folder: string, clock: Clock): SpendLedger {
  const file = (): string => join(folder, `${dayOf(new Date(clock.now()))}.txt`);
  return {
    today() {
      try {
        return readFileSync(file(), 'utf8').split('\n').map(usageIn).reduce(addUsage, noUsage);
      } catch {
        return noUsage;
      }
    },
    add({ requests, input, cached, output, cost = '-', saved = '-' }) {
      if (requests === 0) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendFileSync(file(), `${[cost, input, cached, output, saved].join(' ')}\n`, { mode: 0o600 });
    },
  };
}

/** The day where the person is. */
function dayOf(now: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

function usageIn(line: string): Usage {
  if (line.trim() === '') return noUsage;
  const parts = line.split(' ').map((part) => (part === '-' ? undefined : Number(part) || 0));
  const [cost, input = 0, cached = 0, output = 0, saved] = parts;
  return { ...noUsage, requests: 1, input, cached, output, cost, saved };
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
):
  | {
      readonly what: 'session' | 'day' | 'requests';
      readonly text: string /** What it has come to. */;
      readonly amount: number;
    }
  | undefined {
  const cost = usage.cost ?? 0;
  if (caps.session !== null && cost >= caps.session)
    return {
      what: 'session',
      amount: cost,
      text: `The session has cost ${costText(cost)}; its cap is ${costText(caps.session)}.`,
    };
  const spentToday = caps.day === null ? 0 : today();
  if (caps.day !== null && spentToday >= caps.day)
    return {
      what: 'day',
      amount: spentToday,
      text: `Today's sessions have cost ${costText(spentToday)}; the cap of a day is ${costText(caps.day)}.`,
    };
  if (requests >= caps.requests)
    return {
      what: 'requests',
      amount: requests,
      text: `The turn has sent ${requests} requests, which is the most of one turn (agent.maxRequests).`,
    };
  return undefined;
}

/** The end of a turn at a cap. */
export function endAtCap(text: string): End {
  return { outcome: 'blocked', text, error: { code: 'LIMIT_EXCEEDED', message: text } };
}
