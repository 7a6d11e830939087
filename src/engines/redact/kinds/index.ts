import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type SourceMime, sources, type UnpagedKind } from '../../../contracts/sources.ts';
import { EngineError } from '../../errors.ts';
import type { Detector } from '../../pii/finding.ts';
import type { RedactedInKind, RedactInKindRequest } from '../calls.ts';
import type { Check } from '../plan.ts';
import { checkOutput, type Opened } from './checks.ts';
import { blackBox, label, redact } from './redact.ts';
import type { Reading } from './stream.ts';

/** Strings of a file: what people see of it, and what they do not. */
export interface Texts {
  shown: string[];
  hidden: string[];
}

/** What a kind of file has to be able to do. */
export interface Kind {
  /** Reads a file into pieces. Throws EngineError. */
  read(bytes: Uint8Array): Reading;
  /** Everything that stands in a file, decoded, for the search of what was made. */
  textsOf(bytes: Uint8Array): Texts;
  /** What is in a file and may not be in an output. */
  strangersIn(bytes: Uint8Array): string[];
}

/** What a kind needs is loaded with its first file. */
const kinds: Record<UnpagedKind, () => Promise<Kind>> = {
  text: async () => (await import('./plain/kinds.ts')).textKind,
  csv: async () => (await import('./plain/kinds.ts')).csvKind,
  markdown: async () => (await import('./plain/kinds.ts')).markdownKind,
  html: async () => (await import('./html/kind.ts')).htmlKind,
  docx: async () => (await import('./docx/kind.ts')).docxKind,
  xlsx: async () => (await import('./xlsx/kind.ts')).xlsxKind,
};

const maxBytes = 100 * 2 ** 20;
/** Characters of all that is read: what a detector goes through in a minute or two. */
const maxCharacters = 24e6;

async function open(path: string, mime: string): Promise<{ kind: Kind; reading: Reading }> {
  const known = Object.keys(sources).find((name): name is SourceMime => name === mime);
  const name = known && sources[known].kind;
  if (!name || name === 'pdf' || name === 'image') {
    throw new EngineError('unsupported', `A file of type ${mime} cannot be redacted in its kind.`);
  }
  const { size } = await stat(path);
  if (size === 0) throw new EngineError('empty', 'The file is empty.');
  if (size > maxBytes) {
    throw new EngineError('too_large', 'The file is larger than 100 MiB.');
  }
  const kind = await kinds[name]();
  const reading = kind.read(await readFile(path));
  if (charactersOf(reading) > maxCharacters) {
    throw new EngineError('too_large', 'The file has more than 24 million characters of text.');
  }
  return { kind, reading };
}

function charactersOf({ streams }: Reading): number {
  let sum = 0;
  for (const { parts } of streams) {
    for (const part of parts) {
      if (typeof part === 'object' && 'text' in part) sum += part.text.length;
    }
  }
  return sum;
}

/**
 * Redacts a DOCX, XLSX, HTML, Markdown, text or CSV file in its own kind, and checks what it made.
 * There is a file at `outPath` only when every check passed. Throws EngineError.
 */
export async function redactInKind(
  { path, mime, options, style, outPath }: RedactInKindRequest,
  detector: Detector,
): Promise<RedactedInKind> {
  const { kind, reading } = await open(path, mime);
  const { allowList } = options;
  const removed = redact(
    reading,
    detector,
    allowList,
    style === 'blackbox' ? () => blackBox : label,
  );
  const bytes = reading.write();
  const opened = (): Opened => ({
    reading: kind.read(bytes),
    texts: kind.textsOf(bytes),
    strangers: kind.strangersIn(bytes),
  });
  const checks = [...checkOutput(opened, removed.values, detector), pictures(reading.pictures)];
  // Fails closed: what did not pass is nowhere to be found.
  if (checks.every(({ passed }) => passed)) await writeFile(outPath, bytes);
  else await rm(outPath, { force: true });
  return {
    removals: removed.places,
    pages: removed.pages,
    checks,
    picturesReplaced: reading.pictures,
  };
}

const pictures = (count: number): Check => ({
  name: 'pictures',
  passed: true,
  detail:
    count === 0
      ? 'There are no pictures inside.'
      : `${count} pictures inside were not recognised and were replaced or removed, all of them.`,
  pages: [],
});
