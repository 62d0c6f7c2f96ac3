import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { forTerminal } from '../base/forTerminal.ts';
import { createPaint, type Io } from '../base/io.ts';
import { markdownLines } from '../terminal/markdown.ts';
import type { Screen } from '../terminal/screen.ts';

/** Where a session that is gone on with has stopped: its last message and the last words of the answer to it. */
export function showLastExchange(state: SessionState | undefined, io: Io, screen: Screen | undefined): void {
  if (!state) return;
  let asked: string | undefined;
  let answered = '';
  for (const item of itemsOf(state.items)) {
    if (item.kind === 'user') {
      asked = item.text;
      answered = '';
    } else if (item.kind === 'assistant' && item.text.trim() !== '') answered = item.text;
  }
  if (asked === undefined) return;
  const paint = createPaint(io);
  const said = (text: string): string => (io.stdoutIsTty ? forTerminal(text) : text).trimEnd();
  io.out(`${paint('bold', `> ${said(asked).replaceAll('\n', '\n  ')}`)}\n`);
  if (answered === '') return;
  if (screen) screen.print(markdownLines(said(answered), screen.columns() - 1, screen.colours));
  else io.out(`${said(answered)}\n`);
}
