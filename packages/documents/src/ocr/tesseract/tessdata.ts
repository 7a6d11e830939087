import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { EngineError } from '@scriptorium/sandbox/errors';

/** The file of each language's trained data; includes `osd` (page orientation). */
export type Tessdata = Readonly<Record<string, string>>;

/** The models that the recogniser of a child process uses. */
export type Models = {
  tessdata: Tessdata;
  /** The machine's own program; null for tesseract.js. */
  native: string | null;
  /** Maximum memory of that program, in bytes. */
  memoryBytes: number;
};

const systemFolders = [
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tessdata',
  '/usr/local/share/tessdata',
  '/opt/homebrew/share/tessdata',
];

const languageName = /^[a-z]{3}(_[a-z]{3,4}){0,2}$/i;
const maxLanguages = 5;

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Folders that may hold npm's `@tesseract.js-data` packages, nearest first. */
function packageFolders(): string[] {
  const paths = createRequire(import.meta.url).resolve.paths('@tesseract.js-data/eng') ?? [];
  return paths.map((path) => join(path, '@tesseract.js-data'));
}

/**
 * Finds trained data on this machine, never on the network: first in `dirs`, then where systems
 * install Tesseract's fast models (smaller and quicker than npm's), then in the npm packages
 * `@tesseract.js-data/<language>`. Earlier places win.
 */
export function findTessdata({ dirs = [] }: { dirs?: readonly string[] } = {}): Tessdata {
  const found: Record<string, string> = {};
  const take = (language: string, path: string): void => {
    if (languageName.test(language) && !(language in found) && isFile(path)) found[language] = path;
  };
  for (const folder of [...dirs, ...systemFolders]) {
    for (const file of list(folder).sort()) {
      const match = /^(.+)\.traineddata(\.gz)?$/.exec(file);
      if (match?.[1]) take(match[1], join(folder, file));
    }
  }
  for (const folder of packageFolders()) {
    for (const language of list(folder)) {
      // Page orientation needs the legacy model, which only `4.0.0` has.
      const model = language === 'osd' ? '4.0.0' : '4.0.0_best_int';
      take(language, join(folder, language, model, `${language}.traineddata.gz`));
    }
  }
  return found;
}

/** Languages that can be recognised, sorted; without the models for orientation and formulas. */
export function availableLanguages(tessdata: Tessdata): string[] {
  return Object.keys(tessdata)
    .filter((language) => language !== 'osd' && language !== 'equ')
    .sort();
}

/** Languages that this machine can recognise, including the models of one more folder. */
export function installedLanguages(folder?: string): string[] {
  return availableLanguages(findTessdata({ dirs: folder ? [folder] : [] }));
}

/**
 * Checks requested languages. Throws EngineError invalid_argument for a malformed list, and
 * language_unavailable, listing the available ones, for a language that is not installed.
 */
export function checkLanguages(languages: readonly string[], tessdata: Tessdata): void {
  if (languages.length === 0 || languages.length > maxLanguages) {
    throw new EngineError('invalid_argument', `Name 1 to ${maxLanguages} languages.`);
  }
  const available = availableLanguages(tessdata);
  for (const language of languages) {
    if (!languageName.test(language)) {
      throw new EngineError(
        'invalid_argument',
        'A language is a Tesseract code of three letters such as "eng" or "chi_sim".',
      );
    }
    if (!available.includes(language)) {
      throw new EngineError(
        'language_unavailable',
        `The language "${language}" is not installed. Available: ${available.join(', ')}.`,
      );
    }
  }
}
