import type { Duplex } from 'node:stream';

/**
 * Answers an upgrade with 403 and lets go of its socket. Node hands a socket that is to be upgraded over without any
 * listener: unheard, a client that resets it would end the whole program, and one that keeps it open would hold up its end.
 */
export function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
}
