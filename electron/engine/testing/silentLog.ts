import type { Log } from '../base/log.ts';

export const silentLog: Log = { warn: () => undefined };
