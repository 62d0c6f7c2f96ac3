import { ok } from '../../../shared/result.ts';
import { createExternalClient, type ExternalClient, type ExternalClientDeps } from '../openSession/externalClient.ts';
import type { Handlers, Peer } from '../serve.ts';

type Methods = Extract<keyof Handlers, `external.${string}`>;

/** Each connection is one external client; what it asked goes with it. */
export function externalHandlers(parts: ExternalClientDeps): Pick<Handlers, Methods> {
  const clients = new WeakMap<Peer, ExternalClient>();
  const clientOf = (peer: Peer): ExternalClient => {
    const known = clients.get(peer);
    if (known) return known;
    const made = createExternalClient(parts);
    clients.set(peer, made);
    peer.keep('external client', made);
    return made;
  };
  return {
    'external.ask': (asked, peer) => clientOf(peer).ask(asked),
    async 'external.finish'(finished, peer) {
      const done = await clientOf(peer).finish(finished);
      return done.ok ? ok({}) : done;
    },
    async 'external.leave'({ key }, peer) {
      clientOf(peer).leave(key);
      return ok({});
    },
  };
}
