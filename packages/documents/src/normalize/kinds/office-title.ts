import type { Package } from '../../files/opc.ts';
import { childOf, parseXml, xmlText } from '../../files/xml.ts';

/** Returns the title in the properties of an Office file. */
export function titleOf(source: Package): string | null {
  const relation = source.relationshipsOf('').find(({ kind }) => kind === 'core-properties');
  const bytes = relation && source.parts.get(relation.target);
  const title = bytes && childOf(parseXml(bytes), 'title');
  return title ? xmlText(title).trim() || null : null;
}
