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
