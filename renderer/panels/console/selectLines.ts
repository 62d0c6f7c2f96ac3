import type { Terminal } from '@xterm/xterm';

/** Selects whole lines by the keyboard, from the last written one upwards. Each call goes one line further or back. */
export function lineSelector(terminal: Terminal): (step: -1 | 1) => void {
  let anchor = 0;
  let head = 0;
  return (step) => {
    const { baseY, cursorY, length, getLine } = terminal.buffer.active;
    if (terminal.hasSelection()) head = Math.min(Math.max(0, head + step), length - 1);
    else {
      const row = baseY + cursorY;
      // After a finished line the cursor stands on an empty one.
      const isEmpty = getLine.call(terminal.buffer.active, row)?.translateToString(true) === '';
      anchor = isEmpty && row > 0 ? row - 1 : row;
      head = anchor;
    }
    terminal.selectLines(Math.min(anchor, head), Math.max(anchor, head));
    const top = terminal.buffer.active.viewportY;
    if (head < top) terminal.scrollToLine(head);
    else if (head >= top + terminal.rows) terminal.scrollToLine(head - terminal.rows + 1);
  };
}
