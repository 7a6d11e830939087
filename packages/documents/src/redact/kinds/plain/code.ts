import type { Nodes } from 'mdast';
import { parseMarkdown } from '../../../files/markdown/tree.ts';

const byteOrderMark = '\ufeff';

/**
 * Returns the offsets of all `<` that Markdown shows as code, where they start neither a tag nor a
 * comment. Text that the parser does not treat as code, such as a fence inside HTML, is not
 * included.
 */
export function anglesInCode(source: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (!source.includes('<')) return found;
  for (const { at, text, blocks } of parseMarkdown(source).trees) {
    // The parser skips the byte order mark, so its positions would be off by one.
    if (text.startsWith(byteOrderMark)) continue;
    const open: Nodes[] = [...blocks];
    for (let node = open.pop(); node; node = open.pop()) {
      if ('children' in node) for (const child of node.children) open.push(child);
      if (node.type !== 'code' && node.type !== 'inlineCode') continue;
      const end = node.position?.end.offset ?? 0;
      let angle = text.indexOf('<', node.position?.start.offset ?? end);
      for (; angle >= 0 && angle < end; angle = text.indexOf('<', angle + 1)) found.add(at + angle);
    }
  }
  return found;
}
