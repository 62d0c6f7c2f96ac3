import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProduct } from './layerRules.ts';
import { root } from './project.mjs';
import { readModule } from './readModule.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestAt = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** The folder of a package as Node finds it from another; undefined where it is not installed (another platform's). */
function folderOf(name: string, from: string): string | undefined {
  for (let at = from; at.startsWith(root); at = join(at, '..')) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  return undefined;
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** The packages that the product's sources import, styles included. */
function importedPackages(): ReadonlySet<string> {
  const files = ['shared', 'electron', 'renderer'].flatMap((floor) =>
    readdirSync(join(root, floor), { recursive: true, encoding: 'utf8' }).map((name) => `${floor}/${name}`),
  );
  const specifiers = files
    .filter((path) => isProduct({ path }))
    .flatMap((path) => {
      const text = (): string => readFileSync(join(root, path), 'utf8');
      if (/\.tsx?$/.test(path)) return readModule(path, text()).imports;
      return path.endsWith('.css')
        ? [...text().matchAll(/@import ['"]([^'"]+)['"]/g)].map(([, name = '']) => name)
        : [];
    });
  return new Set(specifiers.filter((name) => !/^(\.|node:)/.test(name)).map(packageOf));
}

/** What a build brings along: the product's own dependencies, and what its sources import, each with all that it needs. */
function shippedPackages(): readonly Manifest[] {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const found = new Map<string, Manifest>();
  const visit = (name: string, from: string): void => {
    const folder = folderOf(name, from);
    if (folder === undefined || found.has(folder)) return;
    const manifest = manifestAt(folder);
    found.set(folder, manifest);
    for (const next of Object.keys(manifest.dependencies ?? {})) visit(next, folder);
  };
  const imported = [...importedPackages()].filter((name) => name in devDependencies);
  for (const name of [...Object.keys(dependencies), ...imported]) visit(name, root);
  return [...found.values()];
}

/** A line a package that a build brings along: its name, version and licence, in the order of names. */
export function noticeLines(): readonly string[] {
  const lines = shippedPackages().map(({ name, version, license }) => `${name} ${version}: ${license ?? 'unknown'}`);
  return [...new Set(lines)].toSorted();
}
