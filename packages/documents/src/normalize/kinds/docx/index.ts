import { EngineError } from '@scriptorium/sandbox/errors';
import { type Package, readPackage } from '../../../files/opc.ts';
import { createUnreadKinds, type UnreadKinds } from '../../../files/unread/index.ts';
import { docxKinds, unreadParts } from '../../../files/unread/package.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  type XmlElement,
} from '../../../files/xml.ts';
import type { DocBlock, NormalDocument } from '../../document.ts';
import {
  createBudget,
  firstHeading,
  flatten,
  onePage,
  plainSpan,
  toTextFields,
} from '../build-blocks.ts';
import { chartOf } from '../chart.ts';
import { titleOf } from '../office-title.ts';
import { diagramOf } from '../pptx/diagram.ts';
import { toRoman } from '../roman.ts';
import { type BodyContext, readBlocks } from './body.ts';
import { blocksOfChunk } from './chunk.ts';
import { type NoteKind, referencesIn } from './inline.ts';
import { readNumbering } from './numbering.ts';
import { readStyles } from './styles.ts';

/**
 * Reads a Word document (ECMA-376, both forms) as blocks. Tracked changes are accepted and hidden
 * text is left out. Notes and comments are at the end, with headers before and footers after the
 * text. Throws EngineError.
 */
export function readDocx(bytes: Uint8Array): NormalDocument {
  return readNested(bytes, 0);
}

/** The maximum nesting of documents. People create fewer levels. */
const maxDepth = 4;

function readNested(bytes: Uint8Array, depth: number): NormalDocument {
  const source = readPackage(bytes);
  const unread = createUnreadKinds();
  const mainRelation = source.relationshipsOf('').find(({ kind }) => kind === 'officeDocument');
  const root = mainRelation && partOf(source, mainRelation.target);
  const body = childOf(root, 'body');
  if (!mainRelation || !body || !/word/.test(source.contentTypeOf(mainRelation.target))) {
    throw new EngineError('unsupported', 'The file is not a Word document.');
  }
  const relations = source.relationshipsOf(mainRelation.target);
  const relatedPart = (kind: string): XmlElement | undefined => {
    const relation = relations.find((one) => one.kind === kind && !one.external);
    return relation && partOf(source, relation.target);
  };
  const styles = readStyles(relatedPart('styles'));
  const labels = labelsOf(body, relatedPart('comments'));
  const shared = {
    styles,
    numbering: readNumbering(relatedPart('numbering'), styles),
    budget: createBudget(),
    labelOf: (kind: NoteKind, id: string): string | null => labels.get(`${kind} ${id}`) ?? null,
    unread,
  };
  const readChunk = createChunkReader(source, unread, depth);
  const contextOf = (part: string): BodyContext => ({
    ...shared,
    fields: [],
    links: new Map(source.relationshipsOf(part).map((relation) => [relation.id, relation])),
    readChart: (reference) => chartOf(source, part, reference, shared.budget),
    readDiagram: (reference) => {
      const relations = source.relationshipsOf(part);
      return diagramOf(source, relations, reference, { page: 1, budget: shared.budget });
    },
    readChunk: (reference) => readChunk(part, reference),
  });
  const blocks = withLevels(readBlocks(body, contextOf(mainRelation.target)));
  const readFurniture = (kind: 'header' | 'footer'): DocBlock[] =>
    relations
      .filter((one) => one.kind === kind && !one.external)
      .flatMap(({ target }) => {
        const part = partOf(source, target);
        return part ? readBlocks(part, contextOf(target)) : [];
      })
      .map(
        (block): DocBlock => ({
          role: kind === 'header' ? 'page_header' : 'page_footer',
          ...toTextFields(flatten([block])),
        }),
      )
      .filter((block) => 'text' in block && block.text !== '');
  const notes = (['footnote', 'endnote', 'comment'] as const).flatMap((kind) => {
    const relation = relations.find((one) => one.kind === `${kind}s` && !one.external);
    const part = relation && partOf(source, relation.target);
    if (!relation || !part) return [];
    return readNotes(part, kind, contextOf(relation.target));
  });
  return {
    title: titleOf(source) ?? firstHeading(blocks, 1),
    language: styles.language,
    pages: onePage,
    blocks: [...readFurniture('header'), ...blocks, ...notes, ...readFurniture('footer')],
    unread: [...new Set([...unread.kinds(), ...unreadParts(source, docxKinds)])],
  };
}

/**
 * Creates a reader of parts in other formats. It reads each part once, even if it is shown several
 * times, and reports content that is not read.
 */
function createChunkReader(
  source: Package,
  unread: UnreadKinds,
  depth: number,
): (part: string, reference: XmlElement) => DocBlock[] {
  const chunksByName = new Map<string, DocBlock[] | null>();
  const readWord = (bytes: Uint8Array): NormalDocument => {
    if (depth >= maxDepth) throw new EngineError('too_large', 'Documents are nested too deeply.');
    const nested = readNested(bytes, depth + 1);
    for (const kind of nested.unread ?? []) unread.add(kind);
    return nested;
  };
  return (part, reference) => {
    const id = reference.attributes.find(({ local, uri }) => local === 'id' && uri !== '')?.value;
    const relation = source.relationshipsOf(part).find((one) => one.id === id && !one.external);
    const name = relation?.target ?? '';
    if (!chunksByName.has(name)) chunksByName.set(name, blocksOfChunk(source, name, readWord));
    const blocks = chunksByName.get(name);
    if (!blocks) unread.add('aFChunk');
    return blocks ?? [];
  };
}

/** Sets heading levels from 1 to 6. In a document without a title, `Heading 1` has level 1. */
function withLevels(blocks: readonly DocBlock[]): DocBlock[] {
  const hasTitle = blocks.some((block) => block.role === 'heading' && block.level === 1);
  return blocks.map((block) => {
    if (block.role !== 'heading') return block;
    return { ...block, level: Math.min(6, hasTitle ? block.level : block.level - 1) };
  });
}

function partOf({ parts }: Package, name: string): XmlElement | undefined {
  const bytes = parts.get(name);
  return bytes && parseXml(bytes);
}

/**
 * Returns the labels of notes in the order of their references: footnotes 1, 2, 3; endnotes i, ii,
 * iii; comments c1, c2, c3.
 */
function labelsOf(body: XmlElement, comments: XmlElement | undefined): Map<string, string> {
  const commentIds = new Set(elementsOfAny(comments).map((one) => attributeValue(one, 'id')));
  const labels = new Map<string, string>();
  const counts = { footnote: 0, endnote: 0, comment: 0 };
  for (const { kind, id } of referencesIn(body)) {
    const key = `${kind} ${id}`;
    if (labels.has(key) || (kind === 'comment' && !commentIds.has(id))) continue;
    counts[kind] += 1;
    labels.set(key, formatLabel[kind](counts[kind]));
  }
  return labels;
}

const elementsOfAny = (element: XmlElement | undefined): XmlElement[] => elementsOf(element);

const formatLabel: Record<NoteKind, (count: number) => string> = {
  footnote: String,
  endnote: toRoman,
  comment: (count) => `c${count}`,
};

/** Reads the notes that the text refers to. Comments begin with the name of their author. */
function readNotes(part: XmlElement, kind: NoteKind, context: BodyContext): DocBlock[] {
  const notes: DocBlock[] = [];
  for (const element of elementsOf(part)) {
    const label = context.labelOf(kind, attributeValue(element, 'id') ?? '');
    if (element.local !== kind || label === null) continue;
    const author = kind === 'comment' ? attributeValue(element, 'author') : undefined;
    const prefix = author ? [plainSpan(`${author}: `)] : [];
    const noteSpans = flatten(readBlocks(element, context));
    const text = toTextFields(noteSpans.length > 0 ? [...prefix, ...noteSpans] : []);
    if (text.text !== '') notes.push({ role: 'footnote', label, ...text });
  }
  return notes;
}
