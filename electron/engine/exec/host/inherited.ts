import { openSync } from 'node:fs';

/** The last entries of the `stdio` of a child. */
export type Mask = readonly (number | 'ignore')[];

/** The channel to the engine. */
const channel = 3;

/**
 * The open descriptors that a child would inherit because they are not marked close-on-exec: masters of terminals, and the
 * channel to the engine. /dev/null is put in their place.
 */
export class Inherited {
  readonly #open = new Set<number>([channel]);
  #nothing: number | undefined;

  add(fd: number): void {
    this.#open.add(fd);
  }

  delete(fd: number): void {
    this.#open.delete(fd);
  }

  /** Empty input, and a place for what nobody reads. */
  get nothing(): number {
    this.#nothing ??= openSync('/dev/null', 'r+');
    return this.#nothing;
  }

  /**
   * What stands for the descriptors of a child from a number on. Only those that are open are covered: on the way to the new
   * program a free number may be the pipe on which the system tells why it could not be started.
   */
  mask(from: number): Mask {
    const count = Math.max(0, Math.max(...this.#open) + 1 - from);
    return Array.from({ length: count }, (_, index) => (this.#open.has(from + index) ? this.nothing : 'ignore'));
  }
}
