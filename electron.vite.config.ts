import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { external } from './.setup/buildList.ts';

/** The browser host serves the same renderer, so it must not depend on Electron's exact Chromium. */
const browsers = 'chrome140';

/** One part alone is built where only it is stale (`.setup/build.mjs`); without a wish, all are. */
const part = process.env['VISE_BUILD_PART'];

const main = {
  build: {
    outDir: 'out/main',
    // Everything but native and binary packages is bundled: one file starts faster than a graph of hundreds.
    externalizeDeps: false,
    minify: 'oxc' as const,
    sourcemap: 'hidden' as const,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { main: 'electron/main.ts' },
      external: [...external],
      // Chunks lie beside the entry, so `import.meta.url` names one folder in all of them.
      output: { chunkFileNames: '[name]-[hash].js' },
    },
  },
};

const preload = {
  build: {
    outDir: 'out/preload',
    externalizeDeps: false,
    reportCompressedSize: false,
    // A sandboxed preload script must be CommonJS.
    rolldownOptions: {
      input: { preload: 'electron/preload.ts' },
      external: ['electron'],
      output: { format: 'cjs' as const, entryFileNames: '[name].cjs' },
    },
  },
};

const renderer = {
  root: 'renderer',
  plugins: [react(), tailwind()],
  worker: { format: 'es' as const },
  build: {
    outDir: 'out/renderer',
    target: browsers,
    minify: 'oxc' as const,
    reportCompressedSize: false,
    // The page's security policy allows no inlined data but images and fonts.
    assetsInlineLimit: 0,
    // The editor is one big chunk, loaded at first need.
    chunkSizeWarningLimit: 6_000,
    rolldownOptions: { input: 'renderer/index.html' },
  },
};

export default defineConfig(
  part === 'desktop' ? { main, preload } : part === 'renderer' ? { renderer } : { main, preload, renderer },
);
