import { announceHost } from './host/hostSockets.ts';
import type { FromHost } from './host/protocol.ts';
import { HostLink, type HostLinkListener, type HostProgram } from './hostLink.ts';

export interface LinksListener {
  message(link: HostLink, message: FromHost): void;
  bytes(view: number, bytes: Buffer): void;
  lost(link: HostLink): void;
}

export interface LinksOptions {
  readonly program: () => HostProgram;
  /** Folder of the sockets of our hosts that keep running. */
  readonly folder: () => string;
  readonly keep: () => boolean;
  readonly listener: LinksListener;
}

/** The hosts this engine talks to: one that it starts when it is needed, and those it found running. */
export class HostLinks {
  readonly #options: LinksOptions;
  readonly #links = new Set<HostLink>();
  readonly #greetings = new Map<HostLink, (message: FromHost | undefined) => void>();
  #current: HostLink | undefined;

  constructor(options: LinksOptions) {
    this.#options = options;
  }

  /** The host for new tasks, started if there is none. */
  current(): HostLink {
    if (this.#current !== undefined) return this.#current;
    const link = this.#adopt((listener) => HostLink.start(this.#options.program(), listener));
    this.#current = link;
    if (this.#options.keep()) announceHost(this.#options.folder(), link.pid);
    return link;
  }

  /** Takes up with a host that runs already. Rejects when it does not answer. */
  async reach(path: string): Promise<HostLink> {
    const found: { link?: HostLink } = {};
    const link = await HostLink.reach(
      path,
      this.#listenerOf(() => found.link),
    );
    found.link = link;
    this.#join(link);
    return link;
  }

  /** Calls `hear` with what a host says first, before it says anything else; with undefined when it is gone before that. */
  greet(link: HostLink, hear: (message: FromHost | undefined) => void): void {
    this.#greetings.set(link, hear);
  }

  hold(active: boolean): void {
    for (const link of this.#links) link.hold(active);
  }

  /** Tells every host what the settings say now. */
  configure(): void {
    for (const link of this.#links) this.#hello(link);
  }

  /** See `HostLink.leave`. */
  async leave(keeps: boolean): Promise<void> {
    const links = [...this.#links];
    this.#links.clear();
    this.#current = undefined;
    await Promise.all(links.map((link) => link.leave(keeps)));
  }

  #adopt(open: (listener: HostLinkListener) => HostLink): HostLink {
    const link: HostLink = open(this.#listenerOf(() => link));
    this.#join(link);
    return link;
  }

  #join(link: HostLink): void {
    this.#links.add(link);
    link.hold(false);
    this.#hello(link);
  }

  #hello(link: HostLink): void {
    const keep = this.#options.keep();
    link.post({ t: 'hello', engine: process.pid, keep, folder: keep ? this.#options.folder() : '' });
  }

  #listenerOf(link: () => HostLink | undefined): HostLinkListener {
    const { listener } = this.#options;
    const mine = (tell: (link: HostLink) => void): void => {
      const known = link();
      if (known !== undefined) tell(known);
    };
    return {
      message: (message: FromHost) =>
        mine((known) => {
          this.#greet(known, message);
          listener.message(known, message);
        }),
      bytes: (view: number, bytes: Buffer) => listener.bytes(view, bytes),
      lost: () =>
        mine((known) => {
          this.#links.delete(known);
          if (this.#current === known) this.#current = undefined;
          this.#greet(known, undefined);
          listener.lost(known);
        }),
    };
  }

  #greet(link: HostLink, message: FromHost | undefined): void {
    const hear = this.#greetings.get(link);
    this.#greetings.delete(link);
    hear?.(message);
  }
}
