import { fail, ok, type Result } from '../../../../shared/result.ts';

/**
 * A glob as it counts from the folder `path` of the project: one that begins with the project's own folder loses it.
 * Error: PATH_TRAVERSAL_DETECTED for one that leads outside.
 */
export function globInside(glob: string, root: string, path: string): Result<string> {
  const [, mark = '', given = ''] = /^(!?)(.*)$/s.exec(glob) ?? [];
  const plain = root.replaceAll('\\', '/').replace(/\/$/, '');
  const slashes = /^[A-Za-z]:[\\/]/.test(given) ? given.replaceAll('\\', '/') : given;
  if (slashes.split('/').includes('..'))
    return fail('PATH_TRAVERSAL_DETECTED', 'A glob does not leave its folder: give the folder in path.', { glob });
  if (!/^(?:\/|[A-Za-z]:\/)/.test(slashes)) return ok(glob);
  if (!slashes.startsWith(`${plain}/`))
    return fail(
      'PATH_TRAVERSAL_DETECTED',
      `${given} lies outside the project ${root}. Globs count from the project's folder, as in src/**/*.ts`,
      { glob },
    );
  const below = slashes.slice(plain.length + 1);
  const folder = path.replaceAll('\\', '/').replace(/^\.\/|\/+$/g, '');
  if (folder === '.' || folder === '' || folder === plain) return ok(`${mark}${anchored(below)}`);
  const start = folder.startsWith(`${plain}/`) ? folder.slice(plain.length + 1) : folder;
  return ok(`${mark}${anchored(below.startsWith(`${start}/`) ? below.slice(start.length + 1) : below)}`);
}

/** A single name would match at any depth; given with the project's folder it means the place. */
function anchored(glob: string): string {
  return glob.includes('/') ? glob : `/${glob}`;
}
