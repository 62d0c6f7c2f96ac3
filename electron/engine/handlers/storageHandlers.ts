import type { StorageCleaned } from '../../../shared/contract/storageApi.ts';
import { ok } from '../../../shared/result.ts';
import type { Handlers } from '../serve.ts';
import type { HandlerDeps } from './handlerDeps.ts';

type Methods = Extract<keyof Handlers, `storage.${string}`>;

/** Removes what nothing can reach any more. */
export async function cleanNow({
  ports,
  config,
  tasks,
}: Pick<HandlerDeps, 'ports' | 'config' | 'tasks'>): Promise<StorageCleaned> {
  const { cleanStorage } = await import('../storage/cleanStorage.ts');
  const running = new Set((await tasks.running()).map(({ id }) => id));
  const { places, clock } = ports;
  const limits = config.settings.storage;
  return cleanStorage({ ...places, now: clock.now(), limits, runs: (task) => running.has(task) });
}

export function storageHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  return {
    async 'storage.read'() {
      const { readStorage } = await import('../storage/readStorage.ts');
      return ok(await readStorage(deps.ports.places.state, deps.sessions.list()));
    },
    'storage.clean': async () => ok(await cleanNow(deps)),
  };
}
