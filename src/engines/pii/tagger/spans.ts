/** A date in full at the start of a line, or behind the place where a letter was written. */
const dated =
  /^(?:\p{L}[\p{L}. '-]{1,39}, ?)?(?:\p{L}{2,4} )?(?:\d{1,2}(?:st|nd|rd|th|er|\.|º|o)? (?:de |of )?\p{L}{3,12}\.?,? (?:de )?(?:19|20)\d\d|\p{L}{3,12} \d{1,2},? (?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d)/u;
/** Longer beginnings of lines are not looked at. */
const LINE_UNITS = 80;

/**
 * Where a span ends that holds together: it leaves out a bracket that does not end in it, and lines that
 * begin with a date or with a place and a date ("Backnang, den 17. Januar 2025").
 */
export function endOf(text: string, start: number, end: number): number {
  const bracket = text.lastIndexOf('(', end - 1);
  const isOpen = bracket > start + 1 && !text.slice(bracket, end).includes(')');
  let stop = isOpen ? bracket : end;
  for (let line = text.indexOf('\n', start); line >= 0 && line < stop; ) {
    if (
      dated.test(
        text
          .slice(line + 1, line + 1 + LINE_UNITS)
          .split('\n', 1)[0]!
          .trimStart(),
      )
    )
      stop = line;
    line = text.indexOf('\n', line + 1);
  }
  return start + text.slice(start, stop).trimEnd().length;
}

const capital = "\\p{Lu}[\\p{L}'’-]{1,30}";
/** A house with a name, on a line of its own: "Wisteria Cottage", "Résidence les Lilas". */
const house = new RegExp(
  `^(?:(?:The |Flat \\d{1,3},? )?(?:${capital} ){1,3}(?:Cottages?|House|Lodge|Farm|Farmhouse|Barn|Villas?|Court|Hall|Mill|Manor|Grange|Rectory|Vicarage|Mansions?|Gables|Croft|Bungalow|Chalet|Heights|Apartments|Residences?)|(?:Résidence|Residencia|Residência|Residenza|Villa|Cascina|Quinta|Finca|Urbanización|Huize|Hoeve|Haus|Hof|Château|Domaine|Osiedle) (?:(?:l[ea]s?|des?|du|del|della|dos|das|de la|[dl]['’]|am|im) ?)?${capital}(?: ${capital})?),?$`,
  'u',
);

/** Where an address starts that begins its line: with the name of the house on the line above. */
export function startOf(text: string, start: number): number {
  const line = start - 1;
  if (text.charAt(line) !== '\n') return start;
  const above = text.lastIndexOf('\n', line - 1) + 1;
  const words = text.slice(Math.max(above, line - LINE_UNITS), line).trimEnd();
  const indent = words.length - words.trimStart().length;
  return house.test(words.trimStart()) ? above + indent : start;
}
