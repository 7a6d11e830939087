import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from '@scriptorium/sandbox/isolation/programs';

const require = createRequire(import.meta.url);

/** Returns the version in the nearest package.json above a file. */
function packageVersionOf(file: string): string {
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
 * Returns the versions of the software and data that process documents: this service, its libraries
 * and the weights of its models.
 * @param native the program that recognises text; null if tesseract.js recognises it
 */
export function readVersions(native: string | null): Record<string, string> {
  const versionOutput = native === null ? null : outputOf(native, ['--version']);
  return {
    scriptorium: packageVersionOf(fileURLToPath(import.meta.url)),
    node: process.versions.node,
    pdfium: packageVersionOf(require.resolve('@embedpdf/pdfium')),
    pdfjs: packageVersionOf(require.resolve('pdfjs-dist')),
    sharp: packageVersionOf(require.resolve('sharp')),
    tesseract:
      /^tesseract v?(\S+)/.exec(versionOutput ?? '')?.[1] ??
      `tesseract.js ${packageVersionOf(require.resolve('tesseract.js'))}`,
    name_weights: hashOf(require.resolve('@scriptorium/pii/tagger/weights.bin')),
    face_weights: hashOf(fileURLToPath(new URL('./faces/weights.bin', import.meta.url))),
    photo_text_weights: hashOf(
      fileURLToPath(new URL('./photos/text-weights.bin', import.meta.url)),
    ),
    label_weights: hashOf(fileURLToPath(new URL('./classify/weights.bin', import.meta.url))),
  };
}
