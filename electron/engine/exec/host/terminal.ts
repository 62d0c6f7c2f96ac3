/** An open pseudo-terminal. The one who takes it closes `slave`, and `master` by closing the stream on it. */
export interface Terminal {
  readonly master: number;
  readonly slave: number;
  readonly path: string;
}

export interface TerminalPaths {
  readonly out: Terminal;
  readonly err: Terminal;
}
