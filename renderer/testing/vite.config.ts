import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Serves or builds the gallery alone: `npx vite --config renderer/testing/vite.config.ts` and open `/testing/gallery.html`. */
export default defineConfig({
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
