import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { EngineError } from '@scriptorium/sandbox/errors';

/** The file of trained data for each language, including `osd` (orientation of pages). */
export type Tessdata = Readonly<Record<string, string>>;

/** The models of the recogniser in a child process. */
export type Models = {
  tessdata: Tessdata;
  /** The installed program; null for tesseract.js. */
  native: string | null;
  /** Maximum memory of the program, in bytes. */
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

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Returns the folders that may contain the npm packages `@tesseract.js-data`, nearest first. */
function packageFolders(): string[] {
  const paths = createRequire(import.meta.url).resolve.paths('@tesseract.js-data/eng') ?? [];
  return paths.map((path) => join(path, '@tesseract.js-data'));
}

/**
 * Finds trained data on this machine, without the network. Searches `dirs`, then the system folders
 * of Tesseract's fast models (smaller and faster than those in npm packages), then the npm packages
 * `@tesseract.js-data/<language>`. The first match is used.
 */
export function findTessdata({ dirs = [] }: { dirs?: readonly string[] } = {}): Tessdata {
  const tessdata: Record<string, string> = {};
  const addIfUsable = (language: string, path: string): void => {
    if (languageName.test(language) && !(language in tessdata) && isFile(path))
      tessdata[language] = path;
  };
  for (const folder of [...dirs, ...systemFolders]) {
    for (const file of listFolder(folder).sort()) {
      const match = /^(.+)\.traineddata(\.gz)?$/.exec(file);
      if (match?.[1]) addIfUsable(match[1], join(folder, file));
    }
  }
  for (const folder of packageFolders()) {
    for (const language of listFolder(folder)) {
      // The orientation of pages needs the legacy model, which only `4.0.0` contains.
      const model = language === 'osd' ? '4.0.0' : '4.0.0_best_int';
      addIfUsable(language, join(folder, language, model, `${language}.traineddata.gz`));
    }
  }
  return tessdata;
}

/**
 * Returns the languages that can be recognised, sorted, without the models for orientation and
 * formulas.
 */
export function availableLanguages(tessdata: Tessdata): string[] {
  return Object.keys(tessdata)
    .filter((language) => language !== 'osd' && language !== 'equ')
    .sort();
}

/**
 * Returns the languages that can be recognised on this machine, including the models of `folder`.
 */
export function installedLanguages(folder?: string): string[] {
  return availableLanguages(findTessdata({ dirs: folder ? [folder] : [] }));
}

/**
 * Checks the requested languages.
 * @throws EngineError `invalid_argument` if the list is malformed; `language_unavailable`, with the
 * available languages, if a language is not installed.
 */
export function checkLanguages(languages: readonly string[], tessdata: Tessdata): void {
  if (languages.length === 0 || languages.length > maxLanguages) {
    throw new EngineError('invalid_argument', `Specify 1 to ${maxLanguages} languages.`);
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
