import { ok } from '../../../shared/result.ts';
import type { Handlers } from '../serve.ts';
import type { HandlerDeps } from './handlerDeps.ts';

type Methods = Extract<keyof Handlers, `storage.${string}`>;

export function storageHandlers({ ports, config, sessions, tasks }: HandlerDeps): Pick<Handlers, Methods> {
  const { places, clock } = ports;
  return {
    async 'storage.read'() {
      const { readStorage } = await import('../storage/readStorage.ts');
      return ok(await readStorage(places.state, sessions.list()));
    },
    async 'storage.clean'() {
      const { cleanStorage } = await import('../storage/cleanStorage.ts');
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
