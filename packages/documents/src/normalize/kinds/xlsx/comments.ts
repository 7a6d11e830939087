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
import { parseCellReference } from './sheet.ts';

const maxComments = 20_000;

type Comment = { cellName: string; author: string; text: string };

/**
 * Returns the comments on the cells of a sheet, each as a quote with its cell and author. Reads the
 * conversations of current versions and the notes of all versions. Notes that only repeat a
 * conversation for old programs are left out.
 */
export function commentsOf(source: Package, sheet: string, page: number): DocBlock[] {
  const relations = source.relationshipsOf(sheet);
  const conversations = relatedRoots(source, relations, 'threadedComment');
  const people = conversations.length > 0 ? peopleOf(source) : new Map<string, string>();
  const threads = conversations.flatMap((root) => threadsIn(root, people));
  const notes = relatedRoots(source, relations, 'comments')
    .flatMap(notesIn)
    .filter(({ author }) => threads.length === 0 || !author.startsWith('tc={'));
  return [...threads, ...notes].slice(0, maxComments).flatMap(({ cellName, author, text }) => {
    const at = parseCellReference(cellName);
    const prefix = [cellName, author].filter((part) => part !== '').join(', ');
    if (text === '') return [];
    const block = toTextFields([plainSpan(prefix === '' ? text : `${prefix}: ${text}`)], page);
    return [{ role: 'quote', ...block, ...(at && { at }) } satisfies DocBlock];
  });
}

function notesIn(root: XmlElement): Comment[] {
  const authors = listOf(root, 'authors').map((author) => xmlText(author).trim());
  return listOf(root, 'commentList').map((comment) => {
    const body = childOf(comment, 'text');
    return {
      cellName: attributeValue(comment, 'ref') ?? '',
      author: authors[Number(attributeValue(comment, 'authorId') ?? '-1')] ?? '',
      text: body ? xmlText(body).trim() : '',
    };
  });
}

function threadsIn(root: XmlElement, people: ReadonlyMap<string, string>): Comment[] {
  return elementsOf(root).map((comment) => {
    const body = childOf(comment, 'text');
    return {
      cellName: attributeValue(comment, 'ref') ?? '',
      author: people.get(attributeValue(comment, 'personId') ?? '') ?? '',
      text: body ? xmlText(body).trim() : '',
    };
  });
}

/** Returns the names of the authors of comments, by id. */
function peopleOf(source: Package): Map<string, string> {
  const names = new Map<string, string>();
  const workbook = source.relationshipsOf('').find(({ kind }) => kind === 'officeDocument');
  const relations = workbook ? source.relationshipsOf(workbook.target) : [];
  for (const person of relatedRoots(source, relations, 'person').flatMap(elementsOf)) {
    names.set(attributeValue(person, 'id') ?? '', attributeValue(person, 'displayName') ?? '');
  }
  return names;
}

function listOf(root: XmlElement, name: string): XmlElement[] {
  return elementsOf(childOf(root, name));
}
