import { type Package, relatedRoots } from '../../../files/opc.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import type { DocBlock } from '../../document.ts';
import { plainSpan, toTextFields } from '../build-blocks.ts';
import type { Part } from './slide.ts';

const maxComments = 5000;

/**
 * Returns the comments on a slide, in the format of the standard or of current versions, each as a
 * quote with its author.
 */
export function commentsOf(source: Package, slide: Part, main: string, page: number): DocBlock[] {
  const names = authorsOf(source, main);
  return relatedRoots(source, slide.relations, 'comments')
    .flatMap(elementsOf)
    .filter(({ local }) => local === 'cm')
    .flatMap((comment) => [comment, ...repliesOf(comment)])
    .slice(0, maxComments)
    .flatMap((comment): DocBlock[] => {
      const body = childOf(comment, 'txBody') ?? childOf(comment, 'text');
      const commentText = body ? xmlText(body).trim() : '';
      const author = names.get(attributeValue(comment, 'authorId') ?? '');
      const text = author === undefined ? commentText : `${author}: ${commentText}`;
      return commentText === ''
        ? []
        : [{ role: 'quote', ...toTextFields([plainSpan(text)], page) }];
    });
}

function repliesOf(comment: XmlElement): XmlElement[] {
  return elementsOf(childOf(comment, 'replyLst'));
}

function authorsOf(source: Package, main: string): Map<string, string> {
  const names = new Map<string, string>();
  const roots = relatedRoots(source, source.relationshipsOf(main), 'commentAuthors', 'authors');
  for (const author of roots.flatMap(elementsOf)) {
    const name = attributeValue(author, 'name');
    if (name) names.set(attributeValue(author, 'id') ?? '', name);
  }
  return names;
}
