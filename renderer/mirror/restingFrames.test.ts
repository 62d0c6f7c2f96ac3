import { expect, test } from 'vitest';
import { restingFrames } from './restingFrames.ts';

/** A page whose time goes on by hand: a frame every 16 ms, in which each run takes so many milliseconds. */
function handPage() {
  let time = 0;
  let frame: (() => void)[] = [];
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  const drawn: (() => void)[] = [];
  const frames = restingFrames({
    now: () => time,
    frames: {
      next(run) {
        frame.push(run);
        return () => {
          frame = frame.filter((each) => each !== run);
        };
      },
    },
    later(delayMs, run) {
      const timer = { at: time + delayMs, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    whenDrawn: (run) => void drawn.push(run),
  });
  return {
    frames,
    takes: (ms: number) => {
      time += ms;
    },
    time: () => time,
    step() {
      time += 16;
      for (const timer of timers.filter(({ at }) => at <= time)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.run();
      }
      const now = frame;
      frame = [];
      for (const run of now) run();
      for (const run of drawn.splice(0)) run();
    },
  };
}

test('what is drawn in a moment is drawn in every frame', () => {
  const page = handPage();
  let drawings = 0;
  const draw = (): void => {
    drawings += 1;
    page.takes(2);
    page.frames.next(draw);
  };
  page.frames.next(draw);
  for (let at = 0; at < 10; at += 1) page.step();
  expect(drawings).toBe(10);
});

test('after a long drawing the window is free for three times as long, whoever asks', () => {
  const page = handPage();
  page.frames.next(() => page.takes(40));
  page.step();
  const ended = page.time();
  let drawnAt = 0;
  page.frames.next(() => {
    drawnAt = page.time();
  });
  while (drawnAt === 0) page.step();
  expect(drawnAt - ended).toBeGreaterThanOrEqual(120);
  expect(drawnAt - ended).toBeLessThan(160);
});

test('a rest is bounded, and what is cancelled in it is not drawn', () => {
  const page = handPage();
  page.frames.next(() => page.takes(5_000));
  page.step();
  const ended = page.time();
  let drawnAt = 0;
  page.frames.next(() => expect.unreachable())();
  page.frames.next(() => {
    drawnAt = page.time();
  });
  while (drawnAt === 0) page.step();
  expect(drawnAt - ended).toBeLessThan(340);
});
