/** Maximum length of the text before an address that is examined, in UTF-16 units. */
const LINE_UNITS = 80;

const capital = "\\p{Lu}[\\p{L}'’-]{1,30}";
const houseName = `(?:(?:The |Flat \\d{1,3},? )?(?:${capital} ){1,3}(?:Cottages?|House|Lodge|Farm|Farmhouse|Barn|Villas?|Court|Hall|Mill|Manor|Grange|Rectory|Vicarage|Mansions?|Gables|Croft|Bungalow|Chalet|Heights|Apartments|Residences?)|(?:Résidence|Mas|Domaine|Ferme|Moulin|Clos|Hameau|Lotissement|Lieu-dit|Residencia|Residência|Residenza|Villa|Cascina|Quinta|Finca|Urbanización|Huize|Hoeve|Haus|Hof|Château|Osiedle) (?:(?:l[ea]s?|des?|du|del|della|dos|das|de la|de l['’]|[dl]['’]|am|im) ?)?${capital}(?: ${capital})?)`;
/** A house with a name, on a separate line: "Wisteria Cottage", "Résidence les Lilas". */
const house = new RegExp(`^${houseName},?$`, 'u');
/** The same, before the number of the street: "Tithe Barn Cottage, 4 Sheepwash Lane". */
const houseBefore = new RegExp(`(?<![\\p{L}\\p{N}])${houseName}, ?$`, 'u');

/** The number of a house at the start of a line or cell, before its street: "77 Harbor St". */
const numberBefore = /(?<=^|[\t|│┃║] ?)\d{1,5}[a-zA-Z]? $/u;

/** The start of a street name of several words: "Unter den Eichen 87". */
const opening =
  /(?<![\p{L}\p{N}])(?:Unter|Hinter|Vor|An|Auf|In|Bei|Über|Zwischen|Neben) (?:der|den|dem) $/u;
/** A street name of one word. Such words before it belong to the sentence. */
const oneWord = /^\p{L}+(?:str\.|straße|strasse|weg|platz|gasse|allee|ring)/u;

/**
 * Returns the start of an address. Includes all words of its street, and the name of the house before
 * it or, if the address is at the start of a line, on the line above.
 */
export function startOf(text: string, start: number): number {
  // The last digits of a count, as in a table of countries: `83,871 Vienna`.
  const rest = /\d[.,]$/.test(text.slice(Math.max(0, start - 2), start))
    ? (/^\d{3}(?!\d)[ .,]{0,2}/.exec(text.slice(start, start + 6))?.[0].length ?? 0)
    : 0;
  if (rest > 0) return start + rest;
  const before = opening.exec(text.slice(Math.max(0, start - 20), start))?.[0];
  if (before && !oneWord.test(text.slice(start, start + LINE_UNITS))) return start - before.length;
  const line = start - 1;
  if (text.charAt(line) !== '\n') {
    const onLine = text
      .slice(Math.max(0, start - LINE_UNITS), start)
      .split('\n')
      .at(-1)!;
    const first = (numberBefore.exec(onLine) ?? houseBefore.exec(onLine))?.[0] ?? '';
    return start - first.length;
  }
  const above = text.lastIndexOf('\n', line - 1) + 1;
  const words = text.slice(Math.max(above, line - LINE_UNITS), line).trimEnd();
  const indent = words.length - words.trimStart().length;
  return house.test(words.trimStart()) ? above + indent : start;
}

/**
 * Boundaries over which no finding extends: the edge of a cell, the end of a block, and the end of
 * a line above a row of cells.
 */
const wall = /[\t|│┃║]|\n[ \t]*\n|\n(?=[^\n]{0,400}[\t|│┃║])/g;

/** Returns the parts of a span between the boundaries in it. */
export function withinWalls(
  text: string,
  start: number,
  end: number,
): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  const add = (from: number, to: number): void => {
    const part = text.slice(from, to);
    const lead = part.length - part.trimStart().length;
    if (/[\p{L}\p{N}]/u.test(part)) {
      parts.push({ start: from + lead, end: from + part.trimEnd().length });
    }
  };
  let from = start;
  // The text after the span also determines whether a line is a row of cells.
  const around = text.slice(start, end + ROW_UNITS);
  for (const { index, 0: sign } of around.matchAll(wall)) {
    if (start + index >= end) break;
    add(from, start + index);
    from = start + index + sign.length;
  }
  if (from === start) return [{ start, end }];
  add(from, end);
  return parts.filter((part, at) => at === 0 || !isAmount(text, part, parts[at - 1]!));
}

/**
 * Whether a number in the cell after an address is an amount: it consists of digits, and the
 * address already has digits.
 */
function isAmount(
  text: string,
  { start, end }: { start: number; end: number },
  before: { start: number; end: number },
): boolean {
  const part = text.slice(start, end);
  if (/\p{L}/u.test(part)) return false;
  const goesOn = /^[.,]\d/.test(text.slice(end, end + 2));
  return goesOn || (!/\d{4}/.test(part) && /\d/.test(text.slice(before.start, before.end)));
}

/** Maximum length of the text after a span that is examined, in UTF-16 units. */
const ROW_UNITS = 400;
