import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask } from '@scriptorium/sandbox/isolation/programs';

const require = createRequire(import.meta.url);

/** Returns the version in the nearest package.json above a file. */
function versionAbove(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) {
      const { version }: { version?: string } = JSON.parse(readFileSync(manifest, 'utf8'));
      if (version !== undefined) return version;
    }
    if (folder === dirname(folder)) throw new Error(`No package contains ${file}.`);
  }
}

const hashOf = (file: string): string =>
  `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`;

/**
 * Returns the versions of the software and data that process documents: this service, the libraries
 * that read, recognise and draw, and the weights that find names.
 * @param native the program that recognises text; null if the library recognises it
 */
export function readVersions(native: string | null): Record<string, string> {
  const said = native === null ? null : ask(native, ['--version']);
  return {
    scriptorium: versionAbove(fileURLToPath(import.meta.url)),
    node: process.versions.node,
    pdfium: versionAbove(require.resolve('@embedpdf/pdfium')),
    pdfjs: versionAbove(require.resolve('pdfjs-dist')),
    sharp: versionAbove(require.resolve('sharp')),
    tesseract:
      /^tesseract v?(\S+)/.exec(said ?? '')?.[1] ??
      `tesseract.js ${versionAbove(require.resolve('tesseract.js'))}`,
    name_weights: hashOf(require.resolve('@scriptorium/pii/tagger/weights.bin')),
    label_weights: hashOf(fileURLToPath(new URL('./classify/weights.bin', import.meta.url))),
  };
}
