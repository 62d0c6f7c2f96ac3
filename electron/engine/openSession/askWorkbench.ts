import { type Client, createClient } from '../../../shared/contract/client.ts';
import type { Connection } from '../../../shared/contract/connection.ts';
import type { AppliedFile } from '../../../shared/model/change.ts';
import type { ToolResult } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import type { GateCall } from '../permission/gate.ts';
import type { SingleAnswer } from './singleCall.ts';

export interface WorkbenchAskDeps {
  /** A connection to a workbench that runs now, if there is one. */
  readonly connect: () => Promise<Connection | undefined>;
  /** Whether one seems to run; looks at a folder. */
  readonly isRunning: () => boolean;
  readonly clock: Clock;
  /** The real path of the project. */
  readonly project: string;
}

export interface AskOptions {
  /** Who asks, in its own words. */
  readonly client: string;
  readonly signal: AbortSignal;
  readonly input: unknown;
  onProgress(text: string): void;
}

/** Puts questions of single calls into the inbox of a workbench that happens to run. */
export interface WorkbenchAsk extends Disposable {
  readonly isRunning: () => boolean;
  /** `unavailable`: none runs, or it ended before anybody answered. Nobody in ten minutes is a no. */
  ask(call: GateCall, options: AskOptions): Promise<SingleAnswer>;
  /** Tells how a call ended that was allowed there, and what it wrote. */
  finished(call: string, result: ToolResult, applied: readonly AppliedFile[]): void;
}

const maxWaitMs = 10 * 60_000;
/** Clients give a request up that says nothing for a minute. */
const progressMs = 15_000;
const maxInputChars = 200_000;

/** Connects at the first question and again whenever the workbench is another one. */
export function createWorkbenchAsk({ connect, isRunning, clock, project }: WorkbenchAskDeps): WorkbenchAsk {
  let connected: Promise<Client | undefined> | undefined;
  let closed = false;
  const asked = new Map<string, Client>();

  const clientOf = (): Promise<Client | undefined> => {
    connected ??= connect()
      .catch(() => undefined)
      .then((connection) => {
        if (connection === undefined || closed) {
          connection?.close('nobody asks any more');
          connected = undefined; // a workbench may be started at any time
          return undefined;
        }
        const client = createClient(connection);
        client.onClose(() => {
          connected = undefined;
        });
        return client;
      });
    return connected;
  };

  return {
    isRunning,
    async ask(call, { client: name, signal, input, onProgress }) {
      const client = await clientOf();
      if (client === undefined || signal.aborted) return 'unavailable';
      asked.set(call.id, client);
      const { tool, category, level, intent } = call;
      const leave = (): void => void client.call('external.leave', { key: call.id });
      let late = false;
      const limit = clock.after(maxWaitMs, () => {
        late = true;
        leave();
      });
      let nextProgress: Disposable | undefined;
      const tell = (): void => {
        onProgress('Waits for an answer in the Vise workbench.\n');
        nextProgress = clock.after(progressMs, tell);
      };
      tell();
      signal.addEventListener('abort', leave, { once: true });
      const answer = await client.call('external.ask', {
        client: name.slice(0, 200),
        project,
        key: call.id,
        call: { tool, category, level, input: bounded(input), intent },
      });
      signal.removeEventListener('abort', leave);
      limit.dispose();
      nextProgress?.dispose();
      if (answer.ok) return answer.value;
      asked.delete(call.id);
      if (late)
        return { decision: 'deny', reason: `Nobody answered in the workbench in ${maxWaitMs / 60_000} minutes.` };
      return 'unavailable';
    },
    finished(call, result, applied) {
      const client = asked.get(call);
      asked.delete(call);
      const fault = result.success ? {} : { code: result.error.code, message: result.error.message.slice(0, 10_000) };
      void client?.call('external.finish', { key: call, success: result.success, applied, ...fault });
    },
    dispose() {
      closed = true;
      void connected?.then((client) => client?.close());
    },
  };
}

/** What is shown is the plan; the input is for the history. */
function bounded(input: unknown): unknown {
  return (JSON.stringify(input)?.length ?? 0) <= maxInputChars ? input : '[too long to be kept]';
}
