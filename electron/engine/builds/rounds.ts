import { anyMark, type MarkKind, markOf } from './watchMarks.ts';

/** Of a round, from its end: what a flood printed before tells nothing new. */
const maxRoundChars = 512 * 1024;
/** Of what belongs to no round: it is read again with each burst that is added. */
const maxBurstChars = 64 * 1024;
const maxLineChars = 4_000;

/** One round of a watcher, or what a program without rounds printed at once. */
export interface Round {
  readonly text: string;
  /** When its first line came, by the clock. */
  readonly startedMs: number;
  /** `ended`: it is whole; `burst`: no round that anybody named, so that its silence about an error tells nothing. */
  readonly kind: 'ended' | 'burst';
  readonly isBad: boolean;
}

/** Cuts the output of one task into rounds. */
export interface Rounds {
  /** More output, as plain text. The rounds that are over by it, oldest first. */
  write(text: string, nowMs: number): readonly Round[];
  /** Nothing came for a while: what there is so far, where it can be judged. */
  settle(): Round | undefined;
  /** The task has ended: what it said last. */
  end(): Round;
}

export function createRounds(): Rounds {
  let pending = '';
  let lines: string[] = [];
  let chars = 0;
  let startedMs: number | undefined;
  /** In a round that a mark began. */
  let open: Exclude<MarkKind, 'end'> | undefined;

  const begin = (): void => {
    lines = [];
    chars = 0;
    startedMs = undefined;
  };
  const put = (line: string, nowMs: number): void => {
    startedMs ??= nowMs;
    lines.push(line);
    chars += line.length;
    while (chars > (open ? maxRoundChars : maxBurstChars)) chars -= lines.shift()?.length ?? 0;
  };
  const soFar = (kind: Round['kind'], isBad = false): Round => ({
    text: lines.join('\n'),
    startedMs: startedMs ?? 0,
    kind,
    isBad,
  });
  const take = (isBad = false): Round => {
    const round = soFar('ended', isBad);
    begin();
    open = undefined;
    return round;
  };

  return {
    write(text, nowMs) {
      const over: Round[] = [];
      const all = `${pending}${text}`.split('\n');
      pending = (all.pop() ?? '').slice(-maxLineChars);
      for (const whole of all) {
        const line = whole.replace(/\r$/, '').slice(0, maxLineChars);
        const mark = anyMark.test(line) ? markOf(line) : undefined;
        if (mark && mark.kind !== 'end') {
          begin();
          open = mark.kind;
        }
        put(line, nowMs);
        if (mark?.kind === 'end') over.push(take(mark.isBad));
      }
      return over;
    },
    settle() {
      if (lines.length === 0 || open === 'start') return undefined;
      return open === 'quiet' ? take() : soFar('burst');
    },
    end() {
      if (pending !== '') lines.push(pending);
      return take();
    },
  };
}
