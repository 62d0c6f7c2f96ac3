/** What tells when to draw next, so that tests turn the page themselves. */
export interface Frames {
  /** Calls back once before the next drawing, or soon where nothing is drawn (a hidden page). Returns the way to cancel. */
  next(run: () => void): () => void;
}

/** Hidden pages get no animation frames; four times a second keeps the mirror near without work worth naming. */
const hiddenDelayMs = 250;

const everyFrame: Frames = {
  next(run) {
    if (document.hidden) return later(hiddenDelayMs, run);
    const frame = requestAnimationFrame(run);
    // A page hidden in between would never draw this frame.
    const timer = setTimeout(run, hiddenDelayMs);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  },
};

function later(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

/** After a drawing the window rests for so many times as long as it took, so that a key nearly always finds it free. */
const restShare = 3;
/** However long a drawing took, the next one comes within this time. */
const longestRestMs = 300;

export interface FramesParts {
  readonly frames: Frames;
  now(): number;
  later(delayMs: number, run: () => void): () => void;
  /** Calls back when what this frame changed has been drawn. */
  whenDrawn(run: () => void): void;
}

/**
 * Frames with rests in between: one budget for all that asks for them. What draws in a few milliseconds has every frame;
 * a reply and a console that flood a busy machine take a quarter of its time and leave the rest to the person.
 */
export function restingFrames({ frames, now, later: after, whenDrawn }: FramesParts): Frames {
  let restsUntil = 0;
  let isDrawing = false;
  const draw = (run: () => void): void => {
    const started = now();
    run();
    if (isDrawing) return;
    isDrawing = true;
    whenDrawn(() => {
      isDrawing = false;
      const ended = now();
      restsUntil = ended + Math.min(longestRestMs, restShare * (ended - started));
    });
  };
  return {
    next(run) {
      let cancel: () => void;
      const wait = (): void => {
        const rest = restsUntil - now();
        cancel = rest > 0 ? after(rest, wait) : frames.next(() => draw(run));
      };
      wait();
      return () => cancel();
    },
  };
}

export const browserFrames: Frames = restingFrames({
  frames: everyFrame,
  now: () => performance.now(),
  later,
  whenDrawn(run) {
    // A message sent before a frame is drawn is heard after it.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = run;
    port2.postMessage(null);
  },
});
