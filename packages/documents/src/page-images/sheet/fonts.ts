import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

/** The font families, each with a fallback for scripts that the first lacks. */
export const sansFamily = 'Liberation Sans, DejaVu Sans';
export const monospaceFamily = 'DejaVu Sans Mono, DejaVu Sans';

/**
 * Fonts from npm packages, which make pictures independent of the machine. The machine's fonts are
 * used only for scripts that these fonts lack.
 */
const packagedFonts: readonly [name: string, folder: string, files: readonly string[]][] = [
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

let loaded: Promise<void> | undefined;

/**
 * Scripts that are missing from the packaged fonts, each with a character to test the machine's
 * fonts.
 */
const scripts = [
  {
    name: 'Chinese and Japanese',
    probe: '永',
    pattern: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/gu,
  },
  { name: 'Korean', probe: '한', pattern: /\p{Script=Hangul}/gu },
  // DejaVu has some emoticons, but few other emoji.
  {
    name: 'emoji',
    probe: '🍁',
    pattern: /[\u{1f1e6}-\u{1f1ff}\u{1f300}-\u{1f5ff}\u{1f680}-\u{1faff}]/gu,
  },
  { name: 'Devanagari', probe: 'क', pattern: /\p{Script=Devanagari}/gu },
  { name: 'Bengali', probe: 'ক', pattern: /\p{Script=Bengali}/gu },
  { name: 'Gurmukhi', probe: 'ਕ', pattern: /\p{Script=Gurmukhi}/gu },
  { name: 'Gujarati', probe: 'ક', pattern: /\p{Script=Gujarati}/gu },
  { name: 'Tamil', probe: 'க', pattern: /\p{Script=Tamil}/gu },
  { name: 'Telugu', probe: 'క', pattern: /\p{Script=Telugu}/gu },
  { name: 'Kannada', probe: 'ಕ', pattern: /\p{Script=Kannada}/gu },
  { name: 'Malayalam', probe: 'ക', pattern: /\p{Script=Malayalam}/gu },
  { name: 'Sinhala', probe: 'ක', pattern: /\p{Script=Sinhala}/gu },
  { name: 'Thai', probe: 'ก', pattern: /\p{Script=Thai}/gu },
  { name: 'Tibetan', probe: 'ཀ', pattern: /\p{Script=Tibetan}/gu },
  { name: 'Burmese', probe: 'က', pattern: /\p{Script=Myanmar}/gu },
  { name: 'Khmer', probe: 'ក', pattern: /\p{Script=Khmer}/gu },
  { name: 'Ethiopic', probe: 'አ', pattern: /\p{Script=Ethiopic}/gu },
] as const;

/** The scripts that are also missing from the machine's fonts. */
let unsupportedScripts: readonly (typeof scripts)[number][] = [];

/**
 * Returns a text in which a grey patch replaces each character that no font has, which would
 * otherwise be drawn as a box with its code.
 * @param missing collects the names of the missing scripts
 */
export function replaceMissing(text: string, missing: Set<string>): string {
  return replaceWithPatches(text, unsupportedScripts, missing);
}

export function replaceWithPatches(
  text: string,
  scriptsToReplace: readonly { name: string; pattern: RegExp }[],
  missing: Set<string>,
): string {
  return scriptsToReplace.reduce((rest, { name, pattern }) => {
    return rest.replace(pattern, () => {
      missing.add(name);
      return '░';
    });
  }, text);
}

/** Loads the fonts, once per process. */
export function loadFonts(): Promise<void> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  for (const [name, folder, files] of packagedFonts) {
    const root = dirname(resolve(`${name}/package.json`));
    for (const file of files) {
      // Drawing with a font file adds its family to the fonts of the process.
      await sharp({ text: { text: 'a', fontfile: join(root, folder, file), dpi: 72 } })
        .raw()
        .toBuffer();
    }
  }
  const supported = await Promise.all(scripts.map(({ probe }) => hasGlyph(probe)));
  unsupportedScripts = scripts.filter((_, at) => !supported[at]);
}

/** Whether a font has a character. If none does, Pango draws a closed box around its code. */
export async function hasGlyph(character: string): Promise<boolean> {
  const { data, info } = await sharp({
    text: {
      text: `<span size="${64 * 1024}">${character}</span>`,
      font: sansFamily,
      dpi: 72,
      rgba: true,
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const opacity = (x: number, y: number): number => data[(y * width + x) * 4 + 3] ?? 0;
  const isLine = (length: number, at: (along: number) => number): boolean => {
    const ink = Array.from({ length }, (_, along) => at(along)).filter((value) => value > 64);
    return ink.length > 0.9 * length;
  };
  const edge = [0, 1, 2, 3];
  const isBox =
    edge.some((x) => isLine(height, (y) => opacity(x, y))) &&
    edge.some((x) => isLine(height, (y) => opacity(width - 1 - x, y))) &&
    edge.some((y) => isLine(width, (x) => opacity(x, y))) &&
    edge.some((y) => isLine(width, (x) => opacity(x, height - 1 - y)));
  return !isBox;
}
