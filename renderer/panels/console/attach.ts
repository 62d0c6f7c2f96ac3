import type { Client } from '../../../shared/contract/client.ts';
import type { OpenTerminal } from './openTerminal.ts';

/** Dragging a border would resize the pseudo-terminal sixty times a second, and each time its program redraws. */
const resizePauseMs = 80;

/**
 * Joins a screen to a task's bytes. Bytes are acknowledged when they are on the screen, so that a flood waits at its
 * source. Typing and size go the other way.
 */
export function attach(
  client: Client,
  { terminal, fit }: OpenTerminal,
  target: { readonly session: string; readonly task: string },
  onProblem: (message: string) => void,
): { detach(): void } {
  let gone = false;
  let channel: number | undefined;
  let resizing: ReturnType<typeof setTimeout> | undefined;
  const stops: (() => void)[] = [];

  const typed = terminal.onData((data) => void client.call('task.input', { ...target, data }));
  const resized = terminal.onResize(({ cols: columns, rows }) => {
    clearTimeout(resizing);
    resizing = setTimeout(() => void client.call('task.resize', { ...target, columns, rows }), resizePauseMs);
  });

  const open = async (): Promise<void> => {
    terminal.reset();
    fit();
    const { cols: columns, rows } = terminal;
    const answer = await client.call('task.attach', { ...target, columns, rows });
    if (!answer.ok) {
      // Without a connection there is nothing to say here: the banner says it, and the next connection attaches anew.
      if (!gone && answer.error.code !== 'UNAVAILABLE') onProblem(answer.error.message);
      return;
    }
    channel = answer.value.channel;
    if (gone) {
      void client.call('task.detach', { channel });
      return;
    }
    terminal.options.convertEol = answer.value.convertEol;
    terminal.write(answer.value.screen);
    stops.push(
      client.onConsole(channel, {
        bytes: (bytes, drawn) => terminal.write(bytes, drawn),
        ended: () => undefined,
      }),
    );
  };
  void open();

  return {
    detach() {
      gone = true;
      clearTimeout(resizing);
      typed.dispose();
      resized.dispose();
      for (const stop of stops) stop();
      if (channel !== undefined) void client.call('task.detach', { channel });
    },
  };
}
