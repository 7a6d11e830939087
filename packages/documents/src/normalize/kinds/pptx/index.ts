import { EngineError } from '@scriptorium/sandbox/errors';
import { type Package, readPackage } from '../../../files/opc.ts';
import { createUnreadKinds } from '../../../files/unread/index.ts';
import { pptxKinds, unreadParts } from '../../../files/unread/package.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  type XmlElement,
} from '../../../files/xml.ts';
import { maxPages } from '../../../limits.ts';
import type { DocBlock, NormalDocument } from '../../document.ts';
import { createBudget, firstHeading, plainSpan, toTextFields } from '../build-blocks.ts';
import { titleOf } from '../office-title.ts';
import { commentsOf } from './comments.ts';
import { type Part, partOf, readNotes, readSlide } from './slide.ts';

const pointsPerUnit = 1 / 12_700;

/**
 * Reads a presentation (ECMA-376) with one page per slide: the title as a heading; text, tables,
 * charts and pictures in reading order; then notes and comments. Hidden slides become pages without
 * blocks, because viewers do not show them, and are reported. Throws EngineError.
 */
export function readPptx(bytes: Uint8Array): NormalDocument {
  const source = readPackage(bytes);
  const { root, name, relations } = presentationOf(source);
  const budget = createBudget();
  const pages: NormalDocument['pages'][number][] = [];
  const blocks: DocBlock[] = [];
  const unread = createUnreadKinds();
  const size = sizeOf(root);
  for (const [index, id] of slideIds(root).entries()) {
    const page = index + 1;
    const relation = relations.find((one) => one.id === id && !one.external);
    const part = relation && source.parts.get(relation.target);
    const slide = relation && part && openPart(source, relation.target, part);
    pages.push({ page, ...size, name: null });
    if (!slide) continue;
    if (/^(0|false)$/.test(attributeValue(slide.root, 'show') ?? '')) {
      unread.add('hidden slides');
      continue;
    }
    blocks.push(...readSlide(source, slide, page, budget, unread));
    const notes = partOf(source, slide, 'notesSlide');
    const noteBlocks = notes ? readNotes(notes, page, budget) : [];
    if (noteBlocks.length > 0) {
      blocks.push({ role: 'heading', level: 3, ...toTextFields([plainSpan('Notes')], page) });
    }
    blocks.push(...noteBlocks, ...commentsOf(source, slide, name, page));
  }
  for (const kind of unreadParts(source, pptxKinds)) unread.add(kind);
  return {
    title: titleOf(source) ?? firstHeading(blocks),
    language: null,
    pages,
    blocks,
    unread: unread.kinds(),
  };
}

const openPart = (source: Package, name: string, bytes: Uint8Array): Part => ({
  name,
  root: parseXml(bytes),
  relations: source.relationshipsOf(name),
});

/** Returns the part that lists the slides. Throws EngineError. */
export function presentationOf(source: Package): Part {
  const mainRelation = source.relationshipsOf('').find(({ kind }) => kind === 'officeDocument');
  const bytes = mainRelation && source.parts.get(mainRelation.target);
  if (
    !mainRelation ||
    !bytes ||
    !/presentation|powerpoint/.test(source.contentTypeOf(mainRelation.target))
  ) {
    throw new EngineError('unsupported', 'The file is not a presentation.');
  }
  return openPart(source, mainRelation.target, bytes);
}

/** Returns the reference ids of the slides, in order. Throws EngineError `too_large`. */
export function slideIds(root: XmlElement): string[] {
  const slides = elementsOf(childOf(root, 'sldIdLst')).filter(({ local }) => local === 'sldId');
  if (slides.length > maxPages) {
    throw new EngineError('too_large', `The presentation has more than ${maxPages} slides.`);
  }
  // A slide also has a numeric `id`. The reference is the one with a namespace.
  return slides.map(
    ({ attributes }) =>
      attributes.find(({ local, uri }) => local === 'id' && uri !== '')?.value ?? '',
  );
}

function sizeOf(root: XmlElement): { widthPt: number | null; heightPt: number | null } {
  const size = childOf(root, 'sldSz');
  const points = (name: string): number | null => {
    const value = Number(attributeValue(size, name));
    return value > 0 ? value * pointsPerUnit : null;
  };
  return { widthPt: points('cx'), heightPt: points('cy') };
}
