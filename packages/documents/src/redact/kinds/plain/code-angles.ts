import type { Nodes } from 'mdast';
import { parseMarkdown } from '../../../files/markdown/tree.ts';

const byteOrderMark = '\ufeff';

/**
 * Returns the offsets of all `<` that Markdown shows as code, where they start neither a tag nor a
 * comment. Text that the parser does not treat as code, such as a fence inside HTML, is not
 * included.
 */
export function anglesInCode(source: string): ReadonlySet<number> {
  const offsets = new Set<number>();
  if (!source.includes('<')) return offsets;
  for (const { at, text, blocks } of parseMarkdown(source).trees) {
    // The parser skips the byte order mark, so its positions would be off by one.
    if (text.startsWith(byteOrderMark)) continue;
    const stack: Nodes[] = [...blocks];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if ('children' in node) for (const child of node.children) stack.push(child);
      if (node.type !== 'code' && node.type !== 'inlineCode') continue;
      const end = node.position?.end.offset ?? 0;
      let angle = text.indexOf('<', node.position?.start.offset ?? end);
      for (; angle >= 0 && angle < end; angle = text.indexOf('<', angle + 1))
        offsets.add(at + angle);
    }
  }
  return offsets;
}
