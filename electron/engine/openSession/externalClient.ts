import { join } from 'node:path';
import type { OutputOf, ParsedInputOf } from '../../../shared/contract/api.ts';
import type { AppliedFile, FileVerdict } from '../../../shared/model/change.ts';
import { fail, ok, type Result, type ToolResult } from '../../../shared/result.ts';
import type { Disposable } from '../base/disposer.ts';
import { shortId } from '../base/ids.ts';
import type { GateCall } from '../permission/gate.ts';
import { realFolder } from '../project/projects.ts';
import { externalTurn } from '../session/externalCalls.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { createContents } from '../workspace/contents.ts';
import type { OpenedSession } from './openedSession.ts';
import type { OpenedSessions } from './openedSessions.ts';

type Ask = ParsedInputOf<'external.ask'>;
type Given = OutputOf<'external.ask'>;
type Finish = ParsedInputOf<'external.finish'>;

/** One other process that asks through this engine, as long as its connection stands. */
export interface ExternalClient extends Disposable {
  ask(asked: Ask): Promise<Result<Given>>;
  finish(finished: Finish): Promise<Result<void>>;
  leave(key: string): void;
}

export interface ExternalClientDeps {
  readonly sessions: Sessions;
  readonly doors: Pick<OpenedSessions, 'open'>;
  /** Where single calls of other processes keep what they propose: the same state folder. */
  readonly contents: string;
  readonly defaults: (project: string) => { readonly provider: string; readonly model: string };
}

/** A client that asks more at once is not one that a person sits behind. */
const maxCalls = 50;

const gone: ToolResult = {
  success: false,
  error: { code: 'CANCELLED', message: 'Whoever asked has gone; what it did of this call is not known here.' },
};

interface ExternalCall {
  readonly id: string;
  readonly tool: string;
  readonly session: Session;
  readonly stop: AbortController;
}

/**
 * Its questions are calls of a session of their own, so that they stand in the inbox, in the list and in the history like
 * any other. What *Session* allows ends with the connection: the next process gets a session of its own.
 */
export function createExternalClient({ sessions, doors, contents, defaults }: ExternalClientDeps): ExternalClient {
  const calls = new Map<string, ExternalCall>();
  const open = new Map<string, string>();
  const stored = createContents({ folder: contents });

  const sessionFor = async (client: string, path: string): Promise<Result<Session>> => {
    const real = realFolder(path);
    if (!real.ok) return real;
    const known = await sessions.open(open.get(real.value) ?? '');
    if (known.ok) return ok(known.value.session);
    const title = `MCP: ${client || 'a client'}`;
    const made = sessions.create({ project: real.value, title, mode: 'direct', ...defaults(real.value) });
    if (!made.ok) return made;
    open.set(real.value, made.value.session.id);
    return ok(made.value.session);
  };
  /** What the review shows is read from the session's own contents. */
  const fetchContents = async (
    changes: readonly Pick<AppliedFile, 'before' | 'after'>[],
    door: OpenedSession,
  ): Promise<void> => {
    for (const id of changes.flatMap(({ before, after }) => [before, after])) {
      const bytes = id === null ? undefined : await stored.get(id);
      if (bytes?.ok) await door.contents.put(bytes.value);
    }
  };
  /** It may have been deleted meanwhile. */
  const isOpen = ({ session }: ExternalCall): boolean => sessions.live(session.id)?.session === session;
  const end = (key: string, result: ToolResult): void => {
    const call = calls.get(key);
    if (!call) return;
    calls.delete(key);
    if (!isOpen(call)) return;
    call.session.emit({ type: 'tool.finished', call: call.id, tool: call.tool, result });
  };

  return {
    async ask({ client, project, key, call: asked }) {
      if (calls.size >= maxCalls) return fail('LIMIT_EXCEEDED', `More than ${maxCalls} questions wait already.`);
      if (calls.has(key)) return fail('CONFLICT', 'This call has been asked already.');
      const session = await sessionFor(client, project);
      if (!session.ok) return session;
      const door = await doors.open(session.value);
      if (!door.ok) return door;
      const { tool, category, level, input, intent } = asked;
      const id = shortId('external');
      const stop = new AbortController();
      calls.set(key, { id, tool, session: session.value, stop });
      if (intent.preview.kind === 'changes') await fetchContents(intent.preview.changes, door.value);
      if (stop.signal.aborted) return fail('CANCELLED', 'The question was taken back.');
      session.value.emit({
        type: 'tool.proposed',
        call: id,
        turn: externalTurn,
        tool,
        level,
        input: input ?? null,
        intent,
      });
      const { gate, questions } = door.value;
      const call: GateCall = { id, tool, category, level, intent, asked: false };
      const passed = await (intent.preview.kind === 'question'
        ? questions.ask(call, stop.signal)
        : gate.pass(call, stop.signal));
      // The connection may have gone meanwhile, and the call with it.
      if (calls.get(key)?.id !== id) return fail('CANCELLED', 'The question was taken back.');
      session.value.emit({ type: 'permission.answered', call: id, answer: passed.answer });
      if (passed.decision === 'deny') {
        end(key, { success: false, error: passed.failure });
        return ok({ decision: 'deny', reason: passed.failure.message });
      }
      session.value.emit({ type: 'tool.started', call: id });
      return ok({
        decision: 'allow',
        ...(passed.verdicts ? { verdicts: passed.verdicts.map(plainVerdict) } : {}),
        ...(passed.text === undefined ? {} : { text: passed.text }),
      });
    },
    async finish({ key, success, code, message = '', applied = [] }) {
      const call = calls.get(key);
      const door = call && (await doors.open(call.session));
      if (call === undefined || calls.get(key) !== call) return fail('VALIDATION_ERROR', 'There is no such call.');
      const files = applied.filter(({ verdict }) => verdict !== 'rejected');
      if (door?.ok && files.length > 0 && isOpen(call)) {
        await fetchContents(files, door.value);
        if (calls.get(key) === call && isOpen(call))
          call.session.emit({
            type: 'change.applied',
            changeSet: shortId('change'),
            call: call.id,
            turn: externalTurn,
            files: applied,
          });
      }
      end(
        key,
        success
          ? { success: true, data: { note: message || 'Another process ran it and has the result.' } }
          : { success: false, error: { code: code ?? 'TOOL_EXECUTION_FAILED', message } },
      );
      return ok(undefined);
    },
    leave(key) {
      const call = calls.get(key);
      if (!call) return;
      call.stop.abort();
      end(key, gone);
    },
    dispose() {
      for (const [key, call] of [...calls]) {
        call.stop.abort();
        end(key, gone);
      }
    },
  };
}

/** The same with lists that may be changed, which is what the contract's types have. */
function plainVerdict({ keep, comments, ...verdict }: FileVerdict): NonNullable<Given['verdicts']>[number] {
  return {
    ...verdict,
    keep: typeof keep === 'string' ? keep : [...keep],
    ...(comments ? { comments: [...comments] } : {}),
  };
}

/** Where the contents of single calls lie (`callToolOnce`). */
export function singleCallContents(state: string): string {
  return join(state, 'contents');
}
