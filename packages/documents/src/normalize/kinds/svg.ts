import { readXmlFile } from '../../files/read-xml-file.ts';
import { childOf, walk, xmlText } from '../../files/xml.ts';
import type { DocBlock, NormalDocument } from '../document.ts';
import { createBudget, onePage, plainSpan, toTextFields } from './build-blocks.ts';

/** Reads the texts of an SVG drawing, in the order of the file. Throws EngineError. */
export function readSvg(bytes: Uint8Array): NormalDocument {
  const root = readXmlFile(bytes);
  const budget = createBudget();
  const blocks: DocBlock[] = [];
  const title = childOf(root, 'title');
  walk(root, (element) => {
    if (element.local !== 'text' && element.local !== 'desc') return;
    const text = xmlText(element).replace(/\s+/g, ' ').trim();
    if (text === '') return;
    budget.countBlock();
    blocks.push({ role: 'paragraph', ...toTextFields([plainSpan(text)]) });
  });
  return {
    title: title ? xmlText(title).trim() || null : null,
    language: null,
    pages: onePage,
    blocks,
    unread: unreadIn(root),
  };
}

/** The kinds of elements with content that is not read. */
function unreadIn(root: Parameters<typeof walk>[0]): string[] {
  const kinds = new Set<string>();
  walk(root, ({ local }) => {
    if (/^(?:image|foreignObject)$/.test(local)) kinds.add(local);
  });
  return [...kinds].sort();
}
