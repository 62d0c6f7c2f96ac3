import { ok } from '../../../shared/result.ts';
import type { Handlers } from '../serve.ts';
import { cleanStorage } from '../storage/cleanStorage.ts';
import { readStorage } from '../storage/readStorage.ts';
import type { HandlerDeps } from './handlerDeps.ts';

type Methods = Extract<keyof Handlers, `storage.${string}`>;

export function storageHandlers({ ports, config, sessions, tasks }: HandlerDeps): Pick<Handlers, Methods> {
  const { places, clock } = ports;
  return {
    'storage.read': async () => ok(await readStorage(places.state, sessions.list())),
    async 'storage.clean'() {
      const running = new Set((await tasks.running()).map(({ id }) => id));
      const cleaned = await cleanStorage({
        ...places,
        now: clock.now(),
        limits: config.settings.storage,
        runs: (task) => running.has(task),
      });
      return ok(cleaned);
    },
  };
}
