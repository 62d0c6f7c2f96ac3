import { request } from 'node:http';
import type * as Electron from 'electron';
import { strict } from './strict.ts';

/** The updater asks through it. Node's own requests have the members that it uses, and follow no redirect by themselves either. */
export const net = strict('net', {
  request: (options: object) => request(options) as unknown as Electron.ClientRequest,
});
