import { readFile, stat } from 'node:fs/promises';
import { isUnpaged, sources, type UnpagedKind } from '@scriptorium/contracts/documents/sources';
import type { Detector } from '@scriptorium/pii/finding';
import { EngineError } from '@scriptorium/sandbox/errors';
import type { FindInKindRequest } from '../contract/requests.ts';
import { detectInStreams, type FoundSpan } from './detect.ts';
import { type EmbeddedFiles, noEmbeddedFiles } from './embedded/files.ts';
import { externalFindings } from './external.ts';
import type { RedactableKind } from './kind.ts';
import { recipientTest, valuesOfRecipients, withoutRecipients } from './recipients.ts';
import { addCharacters, type FileReading } from './stream.ts';

/** The implementation of each kind, which is loaded for its first file. */
const kinds: Record<UnpagedKind, () => Promise<RedactableKind>> = {
  text: async () => (await import('./plain/kinds.ts')).textKind,
  json: async () => (await import('./plain/kinds.ts')).jsonKind,
  xml: async () => (await import('./xml/kind.ts')).xmlKind,
  svg: async () => (await import('./xml/svg.ts')).svgKind,
  csv: async () => (await import('./plain/kinds.ts')).csvKind,
  markdown: async () => (await import('./plain/kinds.ts')).markdownKind,
  html: async () => (await import('./html/kind.ts')).htmlKind,
  docx: async () => (await import('./docx/kind.ts')).docxKind,
  xlsx: async () => (await import('./xlsx/kind.ts')).xlsxKind,
  pptx: async () => (await import('./pptx/kind.ts')).pptxKind,
  epub: async () => (await import('./epub/kind.ts')).epubKind,
  odt: async () => (await import('./odf/kind.ts')).odtKind,
  ods: async () => (await import('./odf/kind.ts')).odsKind,
  odp: async () => (await import('./odf/kind.ts')).odpKind,
  mail: async () => (await import('./mail/kind.ts')).mailKind,
  rtf: async () => (await import('./rtf/kind.ts')).rtfKind,
};

const maxBytes = 100 * 2 ** 20;

/**
 * Reads a file.
 * @param embedded the redactions of the files inside it. Default: none
 * @throws EngineError if the file is empty, too large, damaged or of an unsupported type
 */
export async function openFile(
  path: string,
  mime: string,
  embedded: EmbeddedFiles = noEmbeddedFiles,
): Promise<{ kind: RedactableKind; reading: FileReading }> {
  if (!isUnpaged(mime)) {
    throw new EngineError('unsupported', `A file of type ${mime} cannot be redacted.`);
  }
  const { size } = await stat(path);
  if (size === 0) throw new EngineError('empty', 'The file is empty.');
  if (size > maxBytes) {
    throw new EngineError('too_large', 'The file is larger than 100 MiB.');
  }
  const kind = await kinds[sources[mime].kind]();
  const reading = kind.read(await readFile(path), embedded);
  reading.streams.reduce(addCharacters, 0);
  return { kind, reading };
}

/**
 * Returns the findings of the detector and of another recogniser by stream, except for recipients
 * that are kept, and the texts that are not searched for on their own.
 * @throws EngineError if the other recogniser searched a different text
 */
export async function findingsIn(
  reading: FileReading,
  detector: Detector,
  {
    options: { allowList },
    keepRecipients = false,
    external,
  }: Pick<FindInKindRequest, 'options' | 'keepRecipients' | 'external'>,
): Promise<{ findings: FoundSpan[][]; allowList: string[] }> {
  const recipients = keepRecipients ? (reading.recipients ?? []) : [];
  const places = external ? await externalFindings(reading, external) : [];
  const isKept = recipientTest(recipients);
  const detected = detectInStreams(reading.streams, withoutRecipients(detector, recipients));
  return {
    findings: detected.map((found, index) => [
      ...found,
      ...(places[index] ?? []).filter(({ value }) => !isKept(value)),
    ]),
    allowList: [...allowList, ...valuesOfRecipients(recipients)],
  };
}
