import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** Packages whose README is read; `lab/training/pii` uses none of them. */
const readmePackages =
  `ajv argparse bintrees chokidar commander cron-parser dayjs debug formidable glob ioredis js-yaml
  jackspeak koa koa-body minimatch minipass mocha msgpackr pako parse5 path-to-regexp pify pino qs
  re2js semver sharp split2 tinyglobby typeorm undici yargs zod`.split(/\s+/);
const manualFolder = '/usr/share/man';
/** A paragraph with one of these may contain a name. */
const namePattern =
  /copyright|©|\(c\)|author|contribut|maintain|thank|sponsor|backer|credit|inspired|licen[sc]e|written by|\bby \[|@|\bMr\b|\bInc\b|\bLtd\b/i;

function paragraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph.length > 30 && !namePattern.test(paragraph));
}

/** Markdown as written, including code and markup, without paragraphs that may contain names. */
export function packageReadmes(): string[] {
  const modules = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
  return readmePackages.flatMap((name) => {
    const folder = join(modules, name);
    const file = readdirSync(folder).find((entry) => /^readme\.md$/i.test(entry));
    return file ? paragraphs(readFileSync(join(folder, file), 'utf8')) : [];
  });
}

/** The words of roff without its macros and escapes. */
function stripRoff(source: string): string {
  return source
    .split('\n')
    .filter((line) => !/^['.]\\"/.test(line))
    .map((line) =>
      line.replace(/^\.(?:B|I|BR|IR|RB|BI|IB|SS|TP)\s+/, '').replace(/^\.SH.*|^['.].*/, ''),
    )
    .join('\n')
    .replace(/\\f(?:[A-Z]|\[\w*\])|\\&|\\s[-+]?\d|\\\(..|\\\*\(?..|\\c/g, '')
    .replace(/\\([- .])/g, '$1')
    .replaceAll('\\', '');
}

/** Every `step`th manual page of this machine in sections 1, 5, 7 and 8, if any. */
export function manualPages(step: number): string[] {
  return ['man1', 'man5', 'man7', 'man8'].flatMap((section) => {
    const folder = join(manualFolder, section);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((file) => file.endsWith('.gz'))
      .sort()
      .filter((_file, at) => at % step === 0)
      .map((file) => stripRoff(gunzipSync(readFileSync(join(folder, file))).toString()))
      .map((page) => paragraphs(page.slice(0, 6000)).join('\n\n'));
  });
}
