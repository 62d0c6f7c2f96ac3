import packageJson from '../../../package.json' with { type: 'json' };

export const version: string = packageJson.version;

/** Put in by the build: commit and date, '' where it knew none. From source it is not there. */
declare const __VISE_BUILD__: string | undefined;

/** The version with what it was built of: `0.1.0 (7d02d47, 2026-11-22)`. */
export function describeVersion(): string {
  const build = typeof __VISE_BUILD__ === 'string' ? __VISE_BUILD__ : 'from source';
  return build === '' ? version : `${version} (${build})`;
}
