const delimiters = [',', ';', '\t', '|'];

/**
 * Returns the delimiter that occurs most often, and equally often in each of the first lines.
 * Quoted text does not count.
 */
export function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 65536)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line !== '')
    .slice(0, 20);
  const scores = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const same = counts.filter((count) => count === counts[0]).length;
    return (counts[0] ?? 0) > 0 ? same * 100 + Math.min(99, counts[0] ?? 0) : 0;
  });
  return delimiters[scores.indexOf(Math.max(...scores))] ?? ',';
}

/**
 * A cell: its source text, its value, and the delimiter or line end after it (empty at the end).
 */
export type CsvCell = { raw: string; value: string; separator: string };

/**
 * Yields the cells of a CSV text (RFC 4180). Deviations are accepted: a quote inside a cell is an
 * ordinary character.
 */
export function* csvCells(text: string, delimiter: string): Generator<CsvCell> {
  const unquoted = new RegExp(`[^\\r\\n${delimiter === '|' ? '\\|' : delimiter}]*`, 'y');
  const quoted = /"[^"]*(?:""[^"]*)*(?:"|$)/y;
  for (let at = 0; at <= text.length; ) {
    let raw = '';
    let value = '';
    quoted.lastIndex = at;
    const inQuotes = text[at] === '"' ? quoted.exec(text)?.[0] : undefined;
    if (inQuotes !== undefined) {
      raw = inQuotes;
      value = inQuotes.replace(/^"|"$/g, '').replaceAll('""', '"');
    }
    unquoted.lastIndex = at + raw.length;
    const tail = unquoted.exec(text)?.[0] ?? '';
    at += raw.length + tail.length;
    const separator = text.startsWith('\r\n', at) ? '\r\n' : text.slice(at, at + 1);
    yield { raw: raw + tail, value: value + tail, separator };
    at += separator.length;
    if (separator !== delimiter && (separator === '' || at === text.length)) break;
  }
}
