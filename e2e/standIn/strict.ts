import { EventEmitter } from 'node:events';

/** A member that the stand-in does not have throws by its name: the double must grow before the product leans on it. */
export function strict<T extends object>(name: string, value: T): T {
  return new Proxy(value, {
    get(target, member) {
      if (member in target || typeof member === 'symbol' || member === 'then' || member === 'toJSON') {
        const value: unknown = Reflect.get(target, member);
        // Private fields belong to the object itself.
        return typeof value === 'function' && typeof target !== 'function' ? (value.bind(target) as unknown) : value;
      }
      throw new Error(`The stand-in knows no ${name}.${member}.`);
    },
    set: (target, member, value) => Reflect.set(target, member, value),
  });
}

/** An emitter that refuses events which nobody would ever emit. */
export class StrictEmitter extends EventEmitter {
  readonly #name: string;
  readonly #events: ReadonlySet<string | symbol>;

  constructor(name: string, events: readonly string[]) {
    super();
    this.#name = name;
    this.#events = new Set(events);
    this.on('newListener', (event: string | symbol) => {
      if (!this.#events.has(event) && event !== 'newListener' && event !== 'removeListener')
        throw new Error(`The stand-in never emits "${String(event)}" on ${this.#name}.`);
    });
  }

  /** Emits an event that can be prevented; whether it was. */
  ask(event: string, details: object = {}, ...rest: unknown[]): boolean {
    let prevented = false;
    const asked = {
      ...details,
      get defaultPrevented() {
        return prevented;
      },
      preventDefault() {
        prevented = true;
      },
    };
    this.emit(event, asked, ...rest);
    return prevented;
  }
}
