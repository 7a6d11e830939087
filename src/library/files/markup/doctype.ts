/**
 * Reads the declarations of a document type. Drawing programs declare short names for namespaces, which
 * are accepted. Any other entity could assemble a script from pieces, and an attribute list could give
 * every element an event handler.
 */

const maxEntities = 64;
const externalId =
  /\s*(?:PUBLIC\s+(?:"[^"<>&]*"|'[^'<>&]*')\s*|SYSTEM\s*)?(?:"[^"<>&]*"|'[^'<>&]*')?\s*/y;
const declarationPattern =
  /<!ENTITY\s{1,8}([\w.-]{1,64})\s{1,8}(?:"(https?:\/\/[\w./#:?=~-]{0,256})"|'(https?:\/\/[\w./#:?=~-]{0,256})')\s{0,8}>|<!--(?:[^-]|-(?!-)){0,4096}-->|\s{1,4096}/y;

/** The entities that a document type declares; null if it declares anything that could run. */
export function harmlessEntities(doctype: string): Map<string, string> | null {
  const name = /^\s*[^\s[\]"'<>&]{1,128}/.exec(doctype);
  if (!name) return null;
  externalId.lastIndex = name[0].length;
  const internalSubset = doctype
    .slice(name[0].length + (externalId.exec(doctype)?.[0].length ?? 0))
    .trim();
  const entities = new Map<string, string>();
  if (internalSubset === '') return entities;
  if (!internalSubset.startsWith('[') || !internalSubset.endsWith(']')) return null;
  const subset = internalSubset.slice(1, -1);
  declarationPattern.lastIndex = 0;
  while (declarationPattern.lastIndex < subset.length) {
    const match = declarationPattern.exec(subset);
    if (!match || entities.size >= maxEntities) return null;
    // The first declaration of a name counts (XML 1.0 §4.2).
    const [, entity, double, single] = match;
    if (entity && !entities.has(entity)) entities.set(entity, double ?? single ?? '');
  }
  return entities;
}
