import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { external, hostGroups } from './buildList.ts';
import { root } from './project.mjs';

/** CommonJS packages ask for Node's own modules by `require`, which a module file does not have. */
const banner =
  "import { createRequire as createRequireOf } from 'node:module';\nconst require = createRequireOf(import.meta.url);";

/** Bundles the programs for Node into out/ and puts the launcher before them. */
export async function bundleHosts(): Promise<void> {
  const { build } = await import('esbuild');
  const out = join(root, 'out');
  mkdirSync(out, { recursive: true });
  rmSync(join(out, 'host'), { recursive: true, force: true });
  for (const entries of hostGroups) {
    const names = Object.keys(entries);
    await build({
      absWorkingDir: root,
      entryPoints: { ...entries },
      outdir: 'out',
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      // Dynamic imports stay lazy. Chunks lie beside their entry, so `import.meta.url` names the same folder in all.
      splitting: names.every((name) => name.includes('/')),
      chunkNames: 'host/[name]-[hash]',
      external: [...external],
      banner: { js: banner },
      define: { 'process.env.NODE_ENV': '"production"' },
      // Names stay, so that a stack trace in a bug report can be read.
      minifySyntax: true,
      minifyWhitespace: true,
      sourcemap: 'linked',
      legalComments: 'linked',
      logLevel: 'warning',
    });
  }
  copyFileSync(join(root, '.setup', 'launcher.mjs'), join(out, 'cli.js'));
  chmodSync(join(out, 'cli.js'), 0o755);
  if (readdirSync(join(out, 'host')).length === 0) throw new Error('the bundle of the command line is empty');
}
