import { ok } from '../../../shared/result.ts';
import { createExternalClient, type ExternalClient } from '../openSession/externalClient.ts';
import type { Handlers, Peer } from '../serve.ts';
import { done, type HandlerDeps } from './handlerDeps.ts';

type Methods = Extract<keyof Handlers, `external.${string}`>;

/** Each connection is one external client; what it asked goes with it. */
export function externalHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  const clients = new WeakMap<Peer, ExternalClient>();
  const waiting = { count: 0 };
  const clientOf = (peer: Peer): ExternalClient => {
    const known = clients.get(peer);
    if (known) return known;
    const made = createExternalClient({
      ...deps,
      waiting,
      state: deps.ports.places.state,
      defaults: (project) => deps.models.defaults(project),
    });
    clients.set(peer, made);
    peer.keep('external client', made);
    return made;
  };
  return {
    'external.ask': (asked, peer) => clientOf(peer).ask(asked),
    'external.finish': async (finished, peer) => done(await clientOf(peer).finish(finished)),
    async 'external.leave'({ key }, peer) {
      clientOf(peer).leave(key);
      return ok({});
    },
  };
}
