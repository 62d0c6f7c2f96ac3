/** What the program that asks a language server is told; it works in the folder that it is started in. */
export interface ProbeOrder {
  /** Its words. */
  readonly server: readonly [string, ...string[]];
  /** Relative to the folder; those that are not there are passed over. */
  readonly files: readonly string[];
  /** After this long without rest it has failed. */
  readonly limitMs: number;
}

/** How that program ends. */
export const exitCodes = { clean: 0, red: 1, failed: 70 } as const;
