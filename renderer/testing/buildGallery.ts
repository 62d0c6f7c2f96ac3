import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

/** Builds the gallery into out/gallery: `node renderer/testing/buildGallery.ts` at the top of the repository. */
await build({
  configFile: false,
  root: 'renderer',
  base: './',
  plugins: [react(), tailwind()],
  worker: { format: 'es' },
  build: {
    outDir: '../out/gallery',
    emptyOutDir: true,
    target: 'chrome140',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 6000,
    rolldownOptions: { input: 'renderer/testing/gallery.html' },
  },
});
