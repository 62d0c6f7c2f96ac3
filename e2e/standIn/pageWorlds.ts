import { pack, unpack } from './wire.ts';

/** The world of the preload script, and the binding that it alone sees. */
export const preloadWorld = 'electron';
export const sendBinding = 'standInSend';

/**
 * What both worlds of a page use to call each other. They share the document and nothing else, so a call is an event of
 * it whose detail crosses as a structured clone: values are copied, functions stand there as numbers.
 */
function joinWorlds(here: string, there: string) {
  type Stub = { readonly $function: number };
  type Call = { readonly target: number; readonly args: readonly unknown[] };
  const functions: ((...args: unknown[]) => unknown)[] = [];
  const numbers = new Map<unknown, number>();
  const send = (value: unknown): unknown => {
    if (typeof value === 'function') {
      const known = numbers.get(value) ?? functions.push(value as (typeof functions)[number]) - 1;
      numbers.set(value, known);
      return { $function: known } satisfies Stub;
    }
    if (Array.isArray(value)) return value.map(send);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof Blob) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, send(one)]));
  };
  const receive = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(receive);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof Blob) return value;
    if ('$function' in value) return (...args: unknown[]) => call((value as Stub).$function, args);
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, receive(one)])));
  };
  let answer: { readonly value?: unknown; readonly error?: string } = {};
  const call = (target: number, args: readonly unknown[]): unknown => {
    answer = {};
    document.dispatchEvent(new CustomEvent(`${there}-call`, { detail: { target, args: args.map(send) } }));
    if (answer.error !== undefined) throw new Error(answer.error);
    return receive(answer.value);
  };
  document.addEventListener(`${here}-answer`, (event) => {
    answer = (event as CustomEvent<typeof answer>).detail;
  });
  document.addEventListener(`${here}-call`, (event) => {
    const { target, args } = (event as CustomEvent<Call>).detail;
    let detail: typeof answer;
    try {
      detail = { value: send(functions[target]?.(...args.map(receive))) };
    } catch (error) {
      detail = { error: String(error) };
    }
    document.dispatchEvent(new CustomEvent(`${there}-answer`, { detail }));
  });
  return { functions, call, send, receive };
}

/** The page's own world: takes what the preload exposes. */
function pageWorld(join: typeof joinWorlds): void {
  if (window.top !== window) return;
  const { functions, receive } = join('stand-in-page', 'stand-in-preload');
  // Number 0 is how the preload exposes something.
  functions.push((name, api) => {
    Object.defineProperty(window, String(name), { value: receive(api), enumerable: true });
  });
}

/** The preload's world: `require('electron')` and nothing else, as in Electron's sandbox. */
function isolatedWorld(
  join: typeof joinWorlds,
  packed: typeof pack,
  unpacked: typeof unpack,
  binding: string,
  run: (require: (name: string) => unknown, module: object, exports: object) => void,
): void {
  if (window.top !== window) return;
  const { call, send } = join('stand-in-preload', 'stand-in-page');
  const listeners = new Map<string, Set<(event: object, ...args: unknown[]) => void>>();
  const paths = new Map<string, string>();
  const strict = (name: string, members: object): unknown =>
    new Proxy(members, {
      get(target, member) {
        if (member in target || typeof member === 'symbol') return Reflect.get(target, member) as unknown;
        throw new Error(`The stand-in knows no ${name}.${member}.`);
      },
    });
  const electron = strict('electron', {
    contextBridge: strict('contextBridge', {
      exposeInMainWorld: (name: string, api: unknown) => void call(0, [name, send(api)]),
    }),
    ipcRenderer: strict('ipcRenderer', {
      send: (channel: string, ...args: unknown[]) => {
        const post = Reflect.get(window, binding) as (text: string) => void;
        post(packed([channel, ...args]));
      },
      on(channel: string, listen: () => void) {
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listen));
      },
      off: (channel: string, listen: () => void) => void listeners.get(channel)?.delete(listen),
    }),
    webUtils: strict('webUtils', { getPathForFile: (file: File) => paths.get(file.name) ?? '' }),
  });
  Object.assign(window, {
    standInDeliver(text: string) {
      const [channel, ...args] = unpacked(text) as [string, ...unknown[]];
      for (const listen of [...(listeners.get(channel) ?? [])]) listen({}, ...args);
    },
    standInPaths: paths,
  });
  const require = (name: string): unknown => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  };
  run(require, { exports: {} }, {});
}

/** The two scripts of a new document, in the order in which they run. */
export function worldScripts(preload: string): { readonly page: string; readonly preload: string } {
  // Types are stripped from these functions' text when this file is loaded.
  return {
    page: `(${pageWorld.toString()})(${joinWorlds.toString()})`,
    preload: `(${isolatedWorld.toString()})(${joinWorlds.toString()}, ${pack.toString()}, ${unpack.toString()}, '${sendBinding}', (require, module, exports) => {${preload}\n})`,
  };
}
