import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** What a module imports at once: neither types, nor what stands behind `import()`. */
function importedAtOnce(path: string): readonly string[] {
  return parseSync(path, readFileSync(path, 'utf8')).program.body.flatMap((statement) => {
    if (statement.type === 'ImportDeclaration') {
      const { importKind, specifiers, source } = statement;
      const isType = (one: (typeof specifiers)[number]) => one.type === 'ImportSpecifier' && one.importKind === 'type';
      return importKind === 'type' || (specifiers.length > 0 && specifiers.every(isType)) ? [] : [source.value];
    }
    if (statement.type === 'ExportAllDeclaration') return [statement.source.value];
    return statement.type === 'ExportNamedDeclaration' && statement.source ? [statement.source.value] : [];
  });
}

function loadedWith(entry: string): { readonly files: readonly string[]; readonly packages: readonly string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const left = [join(root, entry)];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (files.has(path)) continue;
    files.add(path);
    for (const name of importedAtOnce(path))
      if (name.startsWith('.')) left.push(join(dirname(path), name));
      else if (!name.startsWith('node:')) packages.add(name);
  }
  return { files: [...files].map((path) => relative(root, path)).toSorted(), packages: [...packages] };
}

test('before its first window the desktop loads these modules, no package, and nothing of the engine but names of folders', () => {
  const { files, packages } = loadedWith('electron/main.ts');
  expect(files.every((path) => existsSync(join(root, path)))).toBe(true);
  expect(packages).toEqual(['electron']);
  expect(files).toMatchInlineSnapshot(`
    [
      "electron/engine/base/atomicFile.ts",
      "electron/engine/base/disposer.ts",
      "electron/engine/base/fileLock.ts",
      "electron/engine/base/jsonFile.ts",
      "electron/engine/base/log.ts",
      "electron/engine/base/makeFolder.ts",
      "electron/engine/base/places.ts",
      "electron/engine/base/processMark.ts",
      "electron/engine/base/temporaryFile.ts",
      "electron/engine/base/tokenBucket.ts",
      "electron/main.ts",
      "electron/main/appScheme.ts",
      "electron/main/askFirst.ts",
      "electron/main/desktopChannel.ts",
      "electron/main/desktopFolder.ts",
      "electron/main/desktopWords.ts",
      "electron/main/enDesktop.ts",
      "electron/main/frameSize.ts",
      "electron/main/guards.ts",
      "electron/main/ipcConnection.ts",
      "electron/main/keptState.ts",
      "electron/main/openRequest.ts",
      "electron/main/openRequested.ts",
      "electron/main/outsideLink.ts",
      "electron/main/permissions.ts",
      "electron/main/quit.ts",
      "electron/main/startDesktop.ts",
      "electron/main/titleStrip.ts",
      "electron/main/windowBounds.ts",
      "electron/main/windows.ts",
      "electron/main/zhDesktop.ts",
      "electron/server/staticFiles.ts",
      "shared/contract/connection.ts",
    ]
  `);
});
