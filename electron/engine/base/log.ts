/** Where the engine tells what only a maintainer wants to know; never a key, never output of commands. */
export interface Log {
  warn(what: string, error?: unknown): void;
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a Node system error (`ENOENT`, `EACCES` …), or an empty text. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
