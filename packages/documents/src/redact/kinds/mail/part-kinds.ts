import {
  isUnpaged,
  type SourceMime,
  sources,
  type UnpagedKind,
} from '@scriptorium/contracts/documents/sources';
import type { MailPart } from '../../../files/mail/parts.ts';
import { docxKind } from '../docx/kind.ts';
import { embeddedExtensions } from '../embedded/files.ts';
import { epubKind } from '../epub/kind.ts';
import { htmlKind } from '../html/kind.ts';
import type { RedactableKind } from '../kind.ts';
import { odpKind, odsKind, odtKind } from '../odf/kind.ts';
import { csvKind, jsonKind, markdownKind, textKind } from '../plain/kinds.ts';
import { pptxKind } from '../pptx/kind.ts';
import { rtfKind } from '../rtf/kind.ts';
import { xlsxKind } from '../xlsx/kind.ts';
import { xmlKind } from '../xml/kind.ts';
import { svgKind } from '../xml/svg.ts';

/** The kinds of files that are redacted inside a message. Messages are read with their message. */
export const partKinds: Record<Exclude<UnpagedKind, 'mail'>, RedactableKind> = {
  text: textKind,
  csv: csvKind,
  json: jsonKind,
  xml: xmlKind,
  svg: svgKind,
  markdown: markdownKind,
  html: htmlKind,
  docx: docxKind,
  xlsx: xlsxKind,
  pptx: pptxKind,
  odt: odtKind,
  ods: odsKind,
  odp: odpKind,
  epub: epubKind,
  rtf: rtfKind,
};

/**
 * Returns the kind of a part of an output.
 * @throws Error if no output may contain it
 */
export function kindOfMime(mime: string): RedactableKind {
  const kind = isUnpaged(mime) ? sources[mime].kind : undefined;
  if (!kind || kind === 'mail')
    throw new Error('A part of the message is of a type that no output may contain.');
  return partKinds[kind];
}

/** The media types of files inside a message that can be redacted. */
const mimesByExtension: Readonly<Record<string, SourceMime>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  html: 'text/html',
  htm: 'text/html',
  md: 'text/markdown',
  txt: 'text/plain',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  rtf: 'application/rtf',
  eml: 'message/rfc822',
};

/** Other names of types. A message in UTF-8 (RFC 6532) is read like any other. */
const otherNames: Readonly<Record<string, SourceMime>> = {
  'message/global': 'message/rfc822',
  'text/xml': 'application/xml',
  'text/rtf': 'application/rtf',
  'application/x-rtf': 'application/rtf',
};

/** Types that say little about a file, so that its name decides. */
const vagueTypes = new Set(
  `application/octet-stream binary/octet-stream application/download application/force-download
   application/x-msdownload application/x-zip-compressed application/zip application/msword
   application/vnd.ms-excel application/vnd.ms-word application/vnd.ms-powerpoint application/csv application/x-csv text/x-csv
   text/comma-separated-values text/x-markdown`.split(/\s+/),
);

/** Whether a declared type says little about a file. */
export const isVagueType = (type: string): boolean => vagueTypes.has(type);

/** The type of a part that can be redacted, and its kind; null for other parts. */
export function redactablePart({
  type,
  filename,
}: MailPart): { mime: SourceMime; kind: UnpagedKind } | null {
  const extension = /\.([A-Za-z]{1,5})$/.exec(filename ?? '')?.[1]?.toLowerCase() ?? '';
  const declared = otherNames[type] ?? type;
  const mime = vagueTypes.has(type) ? mimesByExtension[extension] : declared;
  return mime && isUnpaged(mime) ? { mime, kind: sources[mime].kind } : null;
}

const extensionsOfEmbedded = Object.entries(embeddedExtensions).map(
  ([mime, extension]): [string, string] => [extension, mime],
);

/** Returns the extension for the name of a part of a type. */
export const extensionOf = (mime: string): string =>
  [...Object.entries(mimesByExtension), ...extensionsOfEmbedded].find(
    ([, type]) => type === mime,
  )?.[0] ?? 'txt';

/** Whether a part is a signature of another part. It no longer applies to a redacted message. */
export const isSignature = (type: string): boolean =>
  /^application\/(?:(?:x-)?pkcs7|pgp)-signature$/.test(type);

/** Types that a report may name. Others may be free text. */
const nameableTypes = new Set(
  `application/pdf application/epub+zip application/zip application/json
   application/xml text/xml text/calendar text/vcard text/x-vcard text/directory text/css
   text/rfc822-headers text/x-amp-html application/octet-stream application/ms-tnef
   application/vnd.ms-tnef application/pkcs7-mime application/x-pkcs7-mime
   application/pkcs7-signature application/x-pkcs7-signature application/pgp-encrypted
   application/pgp-signature application/pgp-keys application/applefile application/msword
   application/vnd.ms-excel application/vnd.ms-powerpoint application/vnd.ms-outlook
   message/delivery-status message/disposition-notification message/partial message/external-body
   message/feedback-report image/png image/jpeg image/gif image/tiff image/webp image/bmp
   image/heic image/svg+xml`.split(/\s+/),
);

/** Returns the name of a type for the report. */
export function typeName(type: string): string {
  if (nameableTypes.has(type) || Object.hasOwn(sources, type)) return type;
  const [top = ''] = type.split('/');
  return /^(?:audio|video|font|model)$/.test(top) ? `another ${top} type` : 'another type';
}
