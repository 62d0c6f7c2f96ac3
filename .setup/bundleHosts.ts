import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { everyStart, external, firstRequest, hostEntries } from './buildList.ts';
import { buildMark } from './buildMark.ts';
import { compileAhead } from './compileAhead.ts';
import { modulesTogether } from './modulesTogether.ts';
import { oneByte } from './oneByte.ts';
import { plainBuiltins } from './plainBuiltins.ts';
import { root, say } from './project.mjs';

/**
 * Bundles the programs for Node into out/ and puts the launcher before them. Vite's own bundler does it: it drops the
 * unused four fifths of zod, which esbuild keeps and which cost 18 ms at each start (measured 2026-11-21).
 */
export async function bundleHosts(): Promise<void> {
  const { build } = await import('vite');
  const out = join(root, 'out');
  rmSync(join(out, 'host'), { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const mark = JSON.stringify(buildMark() ?? '');
  for (const [place, entry] of Object.entries(hostEntries)) {
    const start = modulesTogether(everyStart.map((path) => join(root, path)));
    const work = modulesTogether(firstRequest.map((path) => join(root, path)));
    await build({
      root,
      configFile: false,
      envDir: false,
      publicDir: false,
      logLevel: 'warn',
      plugins: [plainBuiltins, start, work, oneByte],
      define: { 'process.env.NODE_ENV': '"production"', __VISE_BUILD__: mark },
      ssr: { noExternal: true, external: [...external], target: 'node' },
      build: {
        ssr: true,
        target: 'node24',
        outDir: dirname(join(out, place)),
        emptyOutDir: false,
        sourcemap: 'hidden',
        minify: false,
        reportCompressedSize: false,
        rolldownOptions: {
          input: join(root, entry),
          external: [...external],
          platform: 'node',
          output: {
            format: 'esm',
            entryFileNames: `${place.split('/').at(-1)}.js`,
            // Dynamic imports stay lazy. Chunks lie beside their entry, so `import.meta.url` names one folder in all.
            chunkFileNames: '[name]-[hash].js',
            // Names stay, so that a stack trace in a bug report can be read.
            minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: 'start', test: start.has, priority: 2 },
                { name: 'work', test: work.has, priority: 1 },
              ],
            },
          },
        },
      },
    });
  }
  copyFileSync(join(root, '.setup', 'launcher.mjs'), join(out, 'cli.js'));
  chmodSync(join(out, 'cli.js'), 0o755);
  if (!(await compileAhead())) say('Nothing was compiled ahead: the first start of a user takes a little longer.');
}
