import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A source and its expected result. */
export type Example = { kind: string; name: string; path: string; mime: string; expected: string };

const mimes: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html',
  md: 'text/markdown',
  csv: 'text/csv',
  txt: 'text/plain',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  tif: 'image/tiff',
  webp: 'image/webp',
};

const suffix = '.expected.md';

/** The sources in the subfolders (`docx/`, `html/`, `pdf/`), each with `<source>.expected.md`. */
export function findExamples(folder: string): Example[] {
  return readdirSync(folder)
    .sort()
    .filter((kind) => statSync(join(folder, kind)).isDirectory())
    .flatMap((kind) =>
      readdirSync(join(folder, kind))
        .filter((file) => file.endsWith(suffix))
        .sort()
        .map((file) => {
          const path = join(folder, kind, basename(file, suffix));
          const mime = mimes[path.split('.').at(-1) ?? ''];
          if (!mime) throw new Error(`Unknown file type: ${path}`);
          const expected = readFileSync(join(folder, kind, file), 'utf8');
          return { kind, name: basename(path), path, mime, expected };
        }),
    );
}
