import { Socket } from 'node:net';
import { closeInherited } from './engine/exec/host/closeInherited.ts';
import { PtyHostServer } from './engine/exec/host/ptyHostServer.ts';

/** The PTY host's process. File descriptor 3 is its channel to the engine that started it. */
process.title = 'vise-pty-host';
closeInherited();
const server = new PtyHostServer(() => process.exit(0));
// It must outlive the terminal of the engine for as long as it takes to end what runs.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('SIGTERM', () => server.shutDown());
server.serve(new Socket({ fd: 3, readable: true, writable: true }));
