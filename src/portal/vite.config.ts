import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/**
 * What pdf.js asks for by name: fonts, character maps, decoders. Its version in their folder's name
 * does what a hash does for other assets.
 */
function pdfFiles(): Plugin {
  const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return {
    name: 'pdf-files',
    apply: 'build',
    generateBundle() {
      for (const folder of ['cmaps', 'standard_fonts', 'wasm', 'iccs']) {
        const from = join(dirname(manifest), folder);
        for (const name of readdirSync(from).filter((one) => !one.startsWith('LICENSE'))) {
          const fileName = `assets/pdfjs-${version}/${folder}/${name}`;
          this.emitFile({ type: 'asset', fileName, source: readFileSync(join(from, name)) });
        }
      }
    },
  };
}

/** The portal, into dist/browser, where the API finds it. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/portal/',
  plugins: [pdfFiles()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/browser',
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
