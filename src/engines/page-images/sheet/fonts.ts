import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

/** The families to draw with: the second has the scripts that the first lacks. */
export const plainFamily = 'Liberation Sans, DejaVu Sans';
export const evenFamily = 'DejaVu Sans Mono, DejaVu Sans';

/** From our packages, so that pictures don't depend on the machine; its fonts fill the gaps. */
const packaged: readonly [name: string, folder: string, files: readonly string[]][] = [
  [
    'pdfjs-dist',
    'standard_fonts',
    ['LiberationSans-Regular.ttf', 'LiberationSans-Bold.ttf', 'LiberationSans-Italic.ttf'],
  ],
  [
    'dejavu-fonts-ttf',
    'ttf',
    ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf', 'DejaVuSansMono.ttf', 'DejaVuSansMono-Bold.ttf'],
  ],
];

let loading: Promise<void> | undefined;

/** Loads the fonts of this process once. */
export function loadFonts(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  for (const [name, folder, files] of packaged) {
    const root = dirname(resolve(`${name}/package.json`));
    for (const file of files) {
      // Drawing with a font file adds its family to those of the process.
      await sharp({ text: { text: 'a', fontfile: join(root, folder, file), dpi: 72 } })
        .raw()
        .toBuffer();
    }
  }
}
