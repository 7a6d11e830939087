import type { TextPart } from '@scriptorium/contracts/documents/shown-text';
import { EngineError } from '@scriptorium/sandbox/errors';
import { readPackage } from '../../../files/opc.ts';
import { docxKinds, unreadParts } from '../../../files/unread/package.ts';
import { elementsOf } from '../../../files/xml.ts';
import { type EmbeddedFiles, noEmbeddedFiles } from '../embedded/files.ts';
import { readChart } from '../package/charts.ts';
import { cleanPart, type HiddenStreams, readRemaining } from '../package/clean.ts';
import { copyParts } from '../package/copy-parts.ts';
import { readParagraphs } from '../package/paragraphs.ts';
import { type FileReading, newStream } from '../stream.ts';
import { dropFields, renameBookmarks } from './fields.ts';
import { mirrorOverrides } from './mirror.ts';
import { docxMainTypes, docxParts, keptSettings } from './parts.ts';
import { docxRule } from './rules.ts';
import { spellSymbols } from './symbols.ts';

/** The name of each kind of part, as shown to reviewers. */
const partNames: Readonly<Record<string, TextPart>> = {
  header: 'header',
  footer: 'footer',
  footnotes: 'notes',
  endnotes: 'notes',
  chart: 'chart',
};

/**
 * Reads a Word document (ECMA-376). Reads the text of its body, headers, footers, notes and text
 * boxes by runs, with tracked changes accepted. Drops comments, properties, objects, macros, custom
 * XML and change tracking. All other strings are searched.
 * @throws EngineError if the file is damaged or not a Word document
 */
export function readDocxStreams(
  bytes: Uint8Array,
  embedded: EmbeddedFiles = noEmbeddedFiles,
): FileReading {
  const source = readPackage(bytes);
  const start = source.relationshipsOf('').find(({ kind }) => kind === 'officeDocument');
  if (!start || !docxMainTypes.includes(source.contentTypeOf(start.target))) {
    throw new EngineError('unsupported', 'The file is not a Word document.');
  }
  const hiddenStreams: HiddenStreams = {
    hidden: newStream(null),
    names: newStream(null, { detect: false }),
  };
  const fallback = newStream(null, { related: true });
  const instructions = newStream(null);
  const main = { kind: 'officeDocument', part: start.target };
  const { parts, pictures, write } = copyParts(source, main, docxParts, hiddenStreams, embedded);
  for (const { root, kind, references } of parts) {
    if (kind === 'settings') {
      root.children = elementsOf(root).filter(({ local }) => keptSettings.has(local));
    }
    mirrorOverrides(root);
    cleanPart(root, references, docxRule(references));
    dropFields(root);
    spellSymbols(root);
  }
  renameBookmarks(parts.map(({ root }) => root));
  const bodies = parts.map(({ root, kind }) => {
    const body = newStream(1, { part: partNames[kind] ?? 'body' });
    readParagraphs(root, { body, fallback, instructions });
    if (kind === 'chart') readChart(root, hiddenStreams);
    readRemaining(root, hiddenStreams);
    return body;
  });
  return {
    pages: 1,
    streams: [...bodies, fallback, instructions, hiddenStreams.hidden, hiddenStreams.names],
    pictures,
    dropped: unreadParts(source, {
      read: new Set(Object.keys(docxParts)),
      harmless: new Set([...docxKinds.harmless, 'comments']),
    }),
    write,
  };
}
