import { fail, ok, type Result } from '../../../../shared/result.ts';
import { maxNameCharacters } from '../../project/symbols/namePattern.ts';
import type { Look } from '../../workspace/look.ts';
import type { ResolvedPath } from '../../workspace/sandbox.ts';
import { searchStart } from './searchStart.ts';

export interface AskedSymbol {
  readonly name: string;
  /** Of `Class.method`: Class. */
  readonly container?: string;
  readonly start: ResolvedPath;
}

/** What `symbol` and `path` of a call mean. Errors: VALIDATION_ERROR, DIRECTORY_NOT_FOUND, NOT_A_FILE, those of `resolve`. */
export async function askedSymbol(look: Look, symbol: string, path: string): Promise<Result<AskedSymbol>> {
  const parts = symbol.trim().split(/\.|::|#(?=\w)/);
  const name = parts.at(-1) ?? '';
  if (name === '' || symbol.length > maxNameCharacters || /[\s\0]/.test(symbol.trim()))
    return fail('VALIDATION_ERROR', 'symbol must be one name, such as parse or Parser.parse');
  const start = await searchStart(look, path);
  if (!start.ok) return start;
  const container = parts.slice(0, -1).join('.');
  return ok({ name, start: start.value, ...(container === '' ? {} : { container }) });
}

/** `b` and `a.b` both name what stands in `a.b`. */
export function isContainer(asked: string | undefined, container: string | undefined): boolean {
  return asked === undefined || container === asked || (container?.endsWith(`.${asked}`) ?? false);
}
