import { type Build, buildMessage } from '../../../shared/model/build.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';

/** Several files that are written one after another make several rounds; the last of them is what counts. */
const calmMs = 2_000;

type Message = ReturnType<typeof buildMessage>;

export interface WakeDeps {
  readonly state: () => SessionState;
  /** Model requests that builds may cause since the person's last message. */
  readonly budget: () => number;
  /** Resolves when no turn runs. */
  readonly rest: () => Promise<void>;
  readonly send: (message: Message) => Promise<Result<{ readonly turn: string }>>;
  readonly clock: Clock;
}

/** Tells the agent of builds by itself: of another state than it knows, while no turn runs, and within a budget. */
export interface AgentWaker extends Disposable {
  changed(): void;
  /** Requests that the turn may still send; undefined: it was not begun by a build. */
  left(turn: string): number | undefined;
}

export function createAgentWaker({ state, budget, rest, send, clock }: WakeDeps): AgentWaker {
  /** What the agent was told of each task. */
  const told = new Map<string, string>();
  /** Turns that builds began since the person's last message, and how many requests there were before the first. */
  const woken = new Set<string>();
  let requestsBefore = 0;
  let timer: Disposable | undefined;
  let isBusy = false;
  let isDisposed = false;

  const spent = (): number => {
    if (woken.size === 0) return 0;
    const { items, usage } = state();
    const last = [...itemsOf(items)].findLast(({ kind }) => kind === 'user');
    if (last?.kind === 'user' && woken.has(last.turn)) return usage.requests - requestsBefore;
    woken.clear();
    return 0;
  };
  const news = (): Build | undefined =>
    Object.values(state().builds).find((build) => {
      const before = told.get(build.task);
      if (before === printOf(build)) return false;
      if (build.state === 'green') return before !== undefined && before !== greenPrint;
      return build.findings.some(({ severity, written, since }) => severity === 'error' && (written ?? since));
    });
  const consider = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (;;) {
      await rest();
      const build = isDisposed ? undefined : news();
      const task = build && state().tasks[build.task];
      if (!build || !task || spent() >= budget()) break;
      told.set(build.task, printOf(build));
      if (woken.size === 0) requestsBefore = state().usage.requests;
      const sent = await send(buildMessage(build, task));
      if (!sent.ok) break;
      woken.add(sent.value.turn);
    }
    isBusy = false;
  };

  return {
    changed() {
      if (budget() === 0 || isDisposed) return;
      timer?.dispose();
      timer = clock.after(calmMs, () => void consider());
    },
    left: (turn) => (woken.has(turn) ? Math.max(0, budget() - spent()) : undefined),
    dispose() {
      isDisposed = true;
      timer?.dispose();
    },
  };
}

const greenPrint = 'green';

/** Lines move while the errors stay the same. */
const printOf = ({ state, findings }: Build): string =>
  state === 'green'
    ? greenPrint
    : JSON.stringify(
        findings.flatMap(({ severity, file, rule, message }) => (severity === 'error' ? [[file, rule, message]] : [])),
      );
