import { ok } from '../../../shared/result.ts';
import { createGuest, type Guest, type GuestParts } from '../guestRoom.ts';
import type { Handlers, Peer } from '../serve.ts';

type Methods = Extract<keyof Handlers, `guest.${string}`>;

/** Each connection is one guest; what it asked goes with it. */
export function guestHandlers(parts: GuestParts): Pick<Handlers, Methods> {
  const guests = new WeakMap<Peer, Guest>();
  const guestOf = (peer: Peer): Guest => {
    const known = guests.get(peer);
    if (known) return known;
    const made = createGuest(parts);
    guests.set(peer, made);
    peer.keep('guest', made);
    return made;
  };
  return {
    'guest.ask': (asked, peer) => guestOf(peer).ask(asked),
    async 'guest.finish'(finished, peer) {
      const done = await guestOf(peer).finish(finished);
      return done.ok ? ok({}) : done;
    },
    async 'guest.leave'({ key }, peer) {
      guestOf(peer).leave(key);
      return ok({});
    },
  };
}
