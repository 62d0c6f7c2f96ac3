import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Disposable } from '../../base/disposer.ts';
import { dialHost, listAllows } from './dialHost.ts';
import { createFilterProxy, type FilterRules } from './filterProxy.ts';

export interface SandboxNetworkParts {
  /** Folder of the socket; short, since a socket's path has 107 bytes at most. */
  readonly folder: string;
  /** The setting as it is now. */
  readonly network: () => boolean | readonly string[];
  readonly dial?: FilterRules['dial'];
}

/** The way out for sandboxed commands that may reach some hosts: a socket, with a filtering proxy behind it. Started when it is first needed. */
export class SandboxNetwork implements Disposable {
  readonly #deps: SandboxNetworkParts;
  #open: { readonly server: Server; readonly path: string } | undefined;

  constructor(parts: SandboxNetworkParts) {
    this.#deps = parts;
  }

  /** Path of the socket. UNAVAILABLE when there cannot be one. */
  socket(): Result<string> {
    if (this.#open !== undefined) return ok(this.#open.path);
    const path = join(this.#deps.folder, `net-${process.pid}-${randomBytes(4).toString('hex')}.sock`);
    const server = createFilterProxy({
      allows: (host) => this.#allows(host),
      dial: this.#deps.dial ?? dialHost,
    });
    server.on('error', () => this.#close()); // a later command tries again
    try {
      mkdirSync(this.#deps.folder, { recursive: true, mode: 0o700 });
      server.listen(path);
    } catch {
      // told below
    }
    if (!existsSync(path)) {
      return fail(
        'UNAVAILABLE',
        'The filter between the sandbox and the network could not be started; the command was not run.',
      );
    }
    server.unref();
    this.#open = { server, path };
    return ok(path);
  }

  dispose(): void {
    this.#close();
  }

  #allows(host: string): boolean {
    const network = this.#deps.network();
    return typeof network === 'boolean' ? network : listAllows(network, host);
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    open.server.close();
    open.server.closeAllConnections();
    rmSync(open.path, { force: true });
  }
}
