import { PDFArray, PDFDict, PDFName, type PDFPageLeaf, PDFStream } from 'pdf-lib';
import { decodeStream } from '../streams.ts';
import { dictAt, dictOf, entriesAt, nameAt, streamAt } from './values.ts';

/** A page, or a form, pattern, Type 3 font or appearance that the page uses. */
export type Part = {
  dict: PDFDict;
  resources: PDFDict | undefined;
  /** The content stream of the part; null if it cannot be decoded. */
  contents: Uint8Array | null;
};

/** Maximum number of parts of a page. Pages with more parts count as unreadable. */
const maxParts = 20_000;

function pageContents(leaf: PDFPageLeaf): Uint8Array | null {
  const value = leaf.lookup(PDFName.of('Contents'));
  const streams =
    value instanceof PDFArray
      ? value.asArray().map((_, at) => value.lookup(at))
      : value === undefined
        ? []
        : [value];
  const chunks: Uint8Array[] = [];
  for (const stream of streams) {
    const bytes = stream instanceof PDFStream ? decodeStream(stream) : undefined;
    if (!bytes) return null;
    chunks.push(bytes, Buffer.from('\n'));
  }
  return Buffer.concat(chunks);
}

function partOfStream(stream: PDFStream, inherited: PDFDict | undefined): Part {
  const resources = dictAt(stream.dict, 'Resources') ?? inherited;
  return { dict: stream.dict, resources, contents: decodeStream(stream) ?? null };
}

/** Returns the appearances of an annotation: one stream, or one stream per state. */
export function appearancesOf(annotation: PDFDict): PDFStream[] {
  const normal = dictAt(annotation, 'AP')?.lookup(PDFName.of('N'));
  if (normal instanceof PDFStream) return [normal];
  if (!(normal instanceof PDFDict)) return [];
  return normal.keys().flatMap((key) => {
    const state = normal.lookup(key);
    return state instanceof PDFStream ? [state] : [];
  });
}

export function annotationsOf(leaf: PDFPageLeaf): PDFDict[] {
  const value = leaf.lookup(PDFName.of('Annots'));
  if (!(value instanceof PDFArray)) return [];
  return value.asArray().flatMap((_, at) => {
    const annotation = value.lookup(at);
    return annotation instanceof PDFDict ? [annotation] : [];
  });
}

/** Returns the parts in the resources of a part. */
function nestedParts({ resources }: Part): Part[] {
  const nested: Part[] = [];
  for (const [, object] of entriesAt(resources, 'XObject')) {
    if (object instanceof PDFStream && nameAt(object.dict, 'Subtype') === 'Form') {
      nested.push(partOfStream(object, resources));
    }
  }
  for (const [, pattern] of entriesAt(resources, 'Pattern')) {
    if (pattern instanceof PDFStream) nested.push(partOfStream(pattern, resources));
  }
  for (const [, font] of entriesAt(resources, 'Font')) {
    const dict = dictOf(font);
    if (nameAt(dict, 'Subtype') !== 'Type3') continue;
    for (const [, glyph] of entriesAt(dict, 'CharProcs')) {
      if (glyph instanceof PDFStream) {
        const glyphPart = partOfStream(glyph, resources);
        nested.push({ ...glyphPart, resources: dictAt(dict, 'Resources') ?? glyphPart.resources });
      }
    }
  }
  for (const [, state] of entriesAt(resources, 'ExtGState')) {
    const mask = dictAt(dictOf(state), 'SMask');
    const group = mask && streamAt(mask, 'G');
    if (group) nested.push(partOfStream(group, resources));
  }
  return nested;
}

/**
 * Returns all parts of a page, or of its annotations, each once; undefined if there are more than
 * `maxParts`.
 */
export function partsOf(
  leaf: PDFPageLeaf,
  scope: 'everything' | 'annotations' = 'everything',
): Part[] | undefined {
  const page: Part = { dict: leaf, resources: leaf.Resources(), contents: null };
  const appearances = annotationsOf(leaf).flatMap(appearancesOf);
  const pending = appearances.map((stream) => partOfStream(stream, page.resources));
  if (scope === 'everything') pending.push({ ...page, contents: pageContents(leaf) });
  const seen = new Set<PDFDict>();
  const parts: Part[] = [];
  for (let part = pending.pop(); part; part = pending.pop()) {
    if (seen.has(part.dict)) continue;
    seen.add(part.dict);
    parts.push(part);
    if (parts.length > maxParts) return undefined;
    pending.push(...nestedParts(part));
  }
  return parts;
}
