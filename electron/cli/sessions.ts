import type { SessionSummary } from '../../shared/model/workbench.ts';
import { exportSession } from '../engine/session/exportSession.ts';
import { replay } from '../engine/session/session.ts';
import { findSession } from './base/findSession.ts';
import { homePath } from './base/homePath.ts';
import { exitCodes, type Io, refuse } from './base/io.ts';
import { localTime } from './base/localTime.ts';
import { type Parsed, textFlag } from './base/parseFlags.ts';
import { replayWords } from './base/replayWords.ts';
import { withEngine } from './base/startEngine.ts';

/** `vise sessions list|show|export|copy|reindex|replay`: reads journals; nothing is run and no model is asked. */
export function runSessions(parsed: Parsed, io: Io): Promise<number> {
  const [what = 'list', id] = parsed.words;
  const json = parsed.flags['json'] === true;
  return withEngine('sessions', parsed, io, async ({ engine, client }) => {
    if (what === 'list') return list(engine.redact(engine.sessions.list()), json, io);
    if (what === 'reindex') {
      const rebuilt = engine.sessions.rebuild();
      io.out(
        json ? `${JSON.stringify(rebuilt)}\n` : `${rebuilt.sessions} sessions, ${rebuilt.broken} of them damaged.\n`,
      );
      return exitCodes.done;
    }
    const command = `sessions ${what}`;
    if (!['show', 'export', 'replay', 'copy', 'delete'].includes(what))
      return refuse(io, 'sessions', `"${what}" is none of list, show, export, copy, delete, reindex, replay.`);
    if (id === undefined) return refuse(io, command, `name the session: vise ${command} ID`);
    const found = findSession(engine.sessions.list(), id);
    if (!found.ok) return refuse(io, command, found.error.message);
    if (what === 'delete') {
      const deleted = await client.call('session.delete', { session: found.value });
      if (!deleted.ok) return refuse(io, command, deleted.error.message);
      io.out(json ? `${JSON.stringify({ deleted: found.value })}\n` : `deleted: ${found.value}\n`);
      return exitCodes.done;
    }
    if (what === 'copy') {
      const copied = await client.call('session.copyReadable', {
        session: found.value,
        project: textFlag(parsed, 'project'),
      });
      if (!copied.ok) return refuse(io, command, copied.error.message);
      io.out(json ? `${JSON.stringify(copied.value)}\n` : `${copied.value.session}\n`);
      return exitCodes.done;
    }
    const read = engine.sessions.read(found.value);
    if (!read.ok) return refuse(io, command, read.error.message);
    // A key that was set since the journal was written is in it.
    const envelopes = engine.redact(read.value);
    if (what === 'replay') {
      if (json) for (const envelope of envelopes) io.out(`${JSON.stringify(envelope)}\n`);
      else replayWords(envelopes, io);
      return exitCodes.done;
    }
    const state = replay(envelopes);
    const format = json || textFlag(parsed, 'format') === 'json' ? 'json' : 'markdown';
    const text = await exportSession(state, format, engine.sessions.contentsOf(id));
    const isForFile = what === 'export' && format === 'markdown' && !io.stdoutIsTty;
    (isForFile ? (io.exact ?? io.out) : io.out)(text);
    return exitCodes.done;
  });
}

async function list(summaries: readonly SessionSummary[], json: boolean, io: Io): Promise<number> {
  if (json) io.out(`${JSON.stringify(summaries)}\n`);
  else if (summaries.length === 0) io.out('There are no sessions yet.\n');
  else {
    const { columns } = await import('./terminal/columns.ts');
    const rows = summaries.map(({ id, updatedAt, state, title, project, broken }) => [
      id,
      localTime(updatedAt),
      broken ? 'damaged' : state,
      title || '(untitled)',
      homePath(project, io),
    ]);
    io.out(
      columns(
        ['session', 'changed', 'state', 'title', 'project'],
        rows,
        io.stdoutIsTty ? io.screen?.columns() : undefined,
      ),
    );
  }
  return exitCodes.done;
}
