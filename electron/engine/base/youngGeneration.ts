import { setFlagsFromString } from 'node:v8';

/**
 * From here on V8 keeps its young generation as small as it is, where it would double it again and again: up to 128 MB that
 * lie empty once a long session is open. V8 takes compiled code only under the flags it was made with: call this once what
 * every command loads is there. Electron does not let its flags be changed.
 */
export function keepYoungSmall(): void {
  if (process.versions['electron'] === undefined) setFlagsFromString('--semi-space-growth-factor=1');
}
