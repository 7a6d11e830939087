import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The portal, into dist/portal, where the API finds it. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/portal/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/portal',
    emptyOutDir: true,
    // A strict policy on content knows no data: in style sheets or scripts.
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // What a test weighs the first load by.
    manifest: true,
    reportCompressedSize: false,
  },
});
