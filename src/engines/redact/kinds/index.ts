import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import {
  isRedactableUnpaged,
  type RedactableUnpagedKind,
  type SourceMime,
  sources,
} from '../../../contracts/documents/sources.ts';
import { pluralise } from '../../../contracts/pluralise.ts';
import { EngineError } from '../../errors.ts';
import type { Detector, DetectorOptions } from '../../pii/finding.ts';
import { languagesNotCovered } from '../../pii/index.ts';
import type { RedactionCheck } from '../contract/report.ts';
import type { RedactedInKind, RedactInKindRequest } from '../contract/requests.ts';
import { checkOutput, type Opened } from './checks.ts';
import type { RedactableKind } from './kind.ts';
import { blackBox, label, redact } from './redact.ts';
import { type FileReading, joined } from './stream.ts';

/** The code of each kind, loaded with its first file. */
const kinds: Record<RedactableUnpagedKind, () => Promise<RedactableKind>> = {
  text: async () => (await import('./plain/kinds.ts')).textKind,
  csv: async () => (await import('./plain/kinds.ts')).csvKind,
  markdown: async () => (await import('./plain/kinds.ts')).markdownKind,
  html: async () => (await import('./html/kind.ts')).htmlKind,
  docx: async () => (await import('./docx/kind.ts')).docxKind,
  xlsx: async () => (await import('./xlsx/kind.ts')).xlsxKind,
};

const maxBytes = 100 * 2 ** 20;
/** Most characters in a file: a detector handles them in a minute or two. */
const maxCharacters = 24e6;

async function open(
  path: string,
  mime: string,
): Promise<{ kind: RedactableKind; reading: FileReading }> {
  const known = Object.keys(sources).find((name): name is SourceMime => name === mime);
  const name = known && sources[known].kind;
  if (!name || !isRedactableUnpaged(name)) {
    throw new EngineError('unsupported', `A file of type ${mime} cannot be redacted.`);
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

function charactersOf({ streams }: FileReading): number {
  let sum = 0;
  for (const { parts } of streams) {
    for (const part of parts) {
      if (typeof part === 'object' && 'text' in part) sum += part.text.length;
    }
  }
  return sum;
}

/**
 * Redacts a DOCX, XLSX, HTML, Markdown, text or CSV file in its own format, and checks the output.
 * There is a file at `outPath` only if every check passed. Throws EngineError.
 */
export async function redactInKind(
  { path, mime, options, style, outPath }: RedactInKindRequest,
  detector: Detector,
): Promise<RedactedInKind> {
  const { kind, reading } = await open(path, mime);
  const { allowList } = options;
  const notCovered = languagesByPage(reading, options);
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
  // Fails closed: an output that did not pass is not left anywhere.
  if (checks.every(({ passed }) => passed)) await writeFile(outPath, bytes);
  else await rm(outPath, { force: true });
  return {
    removals: removed.places,
    pages: removed.pages,
    checks,
    picturesReplaced: reading.pictures,
    notCovered,
  };
}

/** For each page, the languages of its visible text in which no names are sought. */
function languagesByPage({ pages, streams }: FileReading, options: DetectorOptions): string[][] {
  const texts = Array.from({ length: pages }, (): string[] => []);
  for (const of of streams) if (of.page !== null) texts[of.page - 1]?.push(joined(of));
  return texts.map((page) => languagesNotCovered(page.join('\n'), options));
}

const pictures = (count: number): RedactionCheck => ({
  name: 'pictures',
  passed: true,
  detail:
    count === 0
      ? 'The file has no pictures.'
      : `Replaced or removed ${pluralise(count, 'picture')}, because text in pictures cannot be read in this format.`,
  pages: [],
});
