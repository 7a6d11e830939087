/**
 * Returns text in `format=flowed` (RFC 3676) with one line per paragraph. A line that ends in a
 * space continues on the next line if both have the same quote depth.
 */
export function unflowed(text: string, deletesSpaces: boolean): string {
  const out: string[] = [];
  let goesOn = false;
  let depth = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [quotes] = /^(?:>)*/.exec(line) ?? [''];
    const own = line.slice(quotes.length).replace(/^ /, '');
    const isSignature = own === '-- ';
    const joins = goesOn && quotes.length === depth && !isSignature;
    if (joins) out[out.length - 1] += own;
    else out.push(quotes === '' ? own : `${quotes} ${own}`);
    goesOn = own.endsWith(' ') && !isSignature;
    depth = quotes.length;
    if (goesOn && deletesSpaces) out[out.length - 1] = (out.at(-1) ?? '').slice(0, -1);
  }
  return out.join('\n');
}
