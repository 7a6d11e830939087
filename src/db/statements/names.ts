const names = new Map<string, string>();

/** The maximum number of prepared texts of a query builder; each costs every connection a plan. */
const maxBuilt = 500;
let built = 0;

/** A list whose length is in the text, or a page size. */
const varying = / IN \(|\), \(| (?:LIMIT|OFFSET) (?!1$)\d/;

/** The name under which a statement whose text never varies is prepared. */
export function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `s${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}

/**
 * The name for a text from a query builder; empty, to avoid preparing it, if the text varies with the
 * number of its values or there are too many of them.
 */
export function nameOfBuilt(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (built >= maxBuilt || varying.test(text)) return '';
  built += 1;
  return nameOf(text);
}
