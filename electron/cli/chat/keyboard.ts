import { emitKeypressEvents } from 'node:readline';
import type { ReadStream } from 'node:tty';
import type { Io } from '../base/io.ts';
import type { Key } from './editText.ts';

const pasteOn = '\u001B[?2004h';
const pasteOff = '\u001B[?2004l';

/** The keys of a terminal, one by one, and a paste as one text. */
export interface Keyboard {
  /** Leaves the terminal to another program, and takes it back. */
  suspend(): void;
  resume(): void;
  close(): void;
}

export function openKeyboard(
  io: Pick<Io, 'out'>,
  input: ReadStream,
  on: {
    readonly key: (text: string | undefined, key: Key) => void;
    readonly paste: (text: string) => void;
    readonly end: () => void;
  },
): Keyboard {
  let pasted: string | undefined;
  const press = (text: string | undefined, key: Key): void => {
    if (pasted === undefined) {
      if (key.name === 'paste-start') pasted = '';
      else on.key(text, key);
    } else if (key.name === 'paste-end') {
      const whole = pasted.replaceAll(/\r\n?/g, '\n');
      pasted = undefined;
      on.paste(whole);
    } else pasted += key.sequence ?? text ?? '';
  };
  const suspend = (): void => {
    input.off('keypress', press);
    input.setRawMode(false);
    io.out(pasteOff);
  };
  const resume = (): void => {
    input.setRawMode(true);
    io.out(pasteOn);
    input.on('keypress', press);
  };
  emitKeypressEvents(input);
  resume();
  input.on('end', on.end);
  input.resume();
  return {
    suspend,
    resume,
    close() {
      suspend();
      input.off('end', on.end);
      input.pause();
    },
  };
}
