import { fail, type Result } from '../../../shared/result.ts';
export interface SandboxPolicy {
  readonly project: string;
  readonly cwd: string;
  readonly writable: boolean;
  readonly network: boolean | readonly string[];
}
export async function sandboxCommand(
  _f: string,
  _a: readonly string[],
  _p: SandboxPolicy,
): Promise<Result<{ file: string; args: readonly string[] }>> {
  return fail('UNAVAILABLE', 'No sandbox on this system.');
}
