import { fileURLToPath } from 'node:url';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Sandbox } from '../workspace/sandbox.ts';

export interface CheckedUrl {
  /** As the browser will be given it. */
  readonly url: string;
  /** For http and https. */
  readonly host?: string;
  /** For file: relative to the workspace. */
  readonly path?: string;
}

/** http, https, about:blank, and files of the workspace; all else is INVALID_URL. */
export async function checkUrl(given: string, sandbox: Sandbox): Promise<Result<CheckedUrl>> {
  const url = URL.parse(given.trim());
  if (!url)
    return fail(
      'INVALID_URL',
      `${given} is no complete address. It must begin with http://, https:// or, for a file of the project, file://`,
    );
  if (url.protocol === 'http:' || url.protocol === 'https:') return ok({ url: url.href, host: url.hostname });
  if (url.href === 'about:blank') return ok({ url: url.href });
  if (url.protocol !== 'file:')
    return fail(
      'INVALID_URL',
      `Only http, https, about:blank and files of the project can be opened, not ${url.protocol}`,
    );
  const path = await fileInside(url, sandbox);
  return path === undefined
    ? fail('INVALID_URL', `${given} is not a file of the project`)
    : ok({ url: url.href, path });
}

/** The path of a file: address inside the workspace, or nothing. */
export async function fileInside(url: URL, sandbox: Sandbox): Promise<string | undefined> {
  if (url.host !== '') return undefined;
  let path: string;
  try {
    path = fileURLToPath(url);
  } catch {
    return undefined; // encoded slashes and the like
  }
  const found = await sandbox.resolve(path);
  return found.ok && found.value.exists ? found.value.relative : undefined;
}
