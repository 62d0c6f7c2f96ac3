import type { Look } from '../../frame/tool.ts';

export interface NestedProject {
  readonly path: string;
  readonly type: string;
}

const manifests: readonly (readonly [name: RegExp, type: string])[] = [
  [/^Cargo\.toml$/, 'rust'],
  [/^go\.mod$/, 'go'],
  [/^package\.json$/, 'node'],
  [/^(?:pyproject\.toml|setup\.py|requirements\.txt)$/, 'python'],
  [/^(?:pom\.xml|build\.gradle(?:\.kts)?)$/, 'java'],
  [/\.(?:sln|csproj|fsproj|vbproj)$/i, 'dotnet'],
  [/^Gemfile$/, 'ruby'],
  [/^composer\.json$/, 'php'],
  [/^CMakeLists\.txt$/, 'cmake'],
];

const maxProjects = 20;
const maxEntries = 2_000;

/** The projects one or two folders below one that is none itself, by path; what is ignored is left out. */
export async function nestedProjects(look: Look, folder: string): Promise<readonly NestedProject[]> {
  const walked = await look.walk(folder, { maxDepth: 3 });
  if (!walked.ok) return [];
  const found = new Map<string, string>();
  let seen = 0;
  for await (const { path, type } of walked.value) {
    seen += 1;
    if (seen > maxEntries || found.size === maxProjects) break;
    if (type !== 'file') continue;
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    const kind = manifests.find(([manifest]) => manifest.test(name))?.[1];
    const place = path.slice(0, Math.max(0, slash));
    // A project's own parts are its own matter.
    const isPart = [...found.keys()].some((one) => place.startsWith(`${one}/`));
    if (kind !== undefined && !found.has(place) && !isPart) found.set(place, kind);
  }
  return [...found].map(([path, type]) => ({ path, type }));
}
