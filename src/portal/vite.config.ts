import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/**
 * Files that pdf.js loads by name: fonts, character maps, decoders. The version in the folder's name
 * makes them cacheable, as hashes do for other assets.
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
        for (const name of readdirSync(from)) {
          const fileName = `assets/pdfjs-${version}/${folder}/${name}`;
          this.emitFile({ type: 'asset', fileName, source: readFileSync(join(from, name)) });
        }
      }
    },
  };
}

/** The licence of the font, which must be beside it. */
function fontLicence(): Plugin {
  const manifest = createRequire(import.meta.url).resolve(
    '@fontsource-variable/inter/package.json',
  );
  return {
    name: 'font-licence',
    apply: 'build',
    generateBundle() {
      const source = readFileSync(join(dirname(manifest), 'LICENSE'));
      this.emitFile({ type: 'asset', fileName: 'assets/inter-LICENSE.txt', source });
    },
  };
}

/** Builds the portal into dist/browser, from where the API serves it. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/portal/',
  plugins: [pdfFiles(), fontLicence()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/browser',
    emptyOutDir: true,
    // The Content-Security-Policy does not allow data: URLs.
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Used by the test that limits the size of the first load.
    manifest: true,
    // The licences of what is bundled, for those who receive the image.
    license: true,
    reportCompressedSize: false,
  },
});
