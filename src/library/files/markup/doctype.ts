/**
 * Reads the declarations of a document type. Drawing programs declare short names for namespaces.
 * Any other entity could assemble a script from pieces, and an attribute list could give every
 * element an event handler.
 */

const max = 64;
const external =
  /\s*(?:PUBLIC\s+(?:"[^"<>&]*"|'[^'<>&]*')\s*|SYSTEM\s*)?(?:"[^"<>&]*"|'[^'<>&]*')?\s*/y;
const declaration =
  /<!ENTITY\s{1,8}([\w.-]{1,64})\s{1,8}(?:"(https?:\/\/[\w./#:?=~-]{0,256})"|'(https?:\/\/[\w./#:?=~-]{0,256})')\s{0,8}>|<!--(?:[^-]|-(?!-)){0,4096}-->|\s{1,4096}/y;

/** The entities that a document type declares; null if it declares anything that could run. */
export function harmlessEntities(doctype: string): Map<string, string> | null {
  const name = /^\s*[^\s[\]"'<>&]{1,128}/.exec(doctype);
  if (!name) return null;
  external.lastIndex = name[0].length;
  const rest = doctype.slice(name[0].length + (external.exec(doctype)?.[0].length ?? 0)).trim();
  const entities = new Map<string, string>();
  if (rest === '') return entities;
  if (!rest.startsWith('[') || !rest.endsWith(']')) return null;
  const subset = rest.slice(1, -1);
  declaration.lastIndex = 0;
  while (declaration.lastIndex < subset.length) {
    const found = declaration.exec(subset);
    if (!found || entities.size >= max) return null;
    // The first declaration of a name counts (XML 1.0 §4.2).
    const [, entity, double, single] = found;
    if (entity && !entities.has(entity)) entities.set(entity, double ?? single ?? '');
  }
  return entities;
}
