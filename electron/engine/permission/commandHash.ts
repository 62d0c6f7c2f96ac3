import { createHash } from 'node:crypto';

export interface BoundCommand {
  readonly command: string;
  readonly argv?: readonly string[] | undefined;
  readonly cwd: string;
  /** Additions to the environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** SHA-256 (hex) over everything that decides what a command does: what was approved is what runs (C5). */
export function commandHash({ command, argv, cwd, env = {} }: BoundCommand): string {
  const names = Object.keys(env).sort();
  const bound = JSON.stringify([command, argv ?? null, cwd, names.map((name) => [name, env[name]])]);
  return createHash('sha256').update(bound).digest('hex');
}
