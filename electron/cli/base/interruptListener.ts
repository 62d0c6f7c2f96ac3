/**
 * One press of Ctrl-C reaches the process twice where the launcher has started it with another Node: from the terminal,
 * which signals the whole group, and from the launcher, which passes it on. No person presses twice this fast.
 */
const echoMs = 200;

/** Hears interrupts: the first one runs `stop`, an echo of it nothing, a second one that a person must have meant `giveUp`. */
export function interruptListener(stop: () => void, giveUp: () => void, now: () => number): () => void {
  let heardAt: number | undefined;
  return () => {
    if (heardAt === undefined) {
      heardAt = now();
      stop();
    } else if (now() - heardAt > echoMs) giveUp();
  };
}
