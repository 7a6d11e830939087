/**
 * Returns text in `format=flowed` (RFC 3676) with one line per paragraph. A line that ends in a
 * space continues on the next line if both have the same quote depth.
 */
export function unwrapFlowed(text: string, deletesSpaces: boolean): string {
  const out: string[] = [];
  let continuesNext = false;
  let depth = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [quotes] = /^(?:>)*/.exec(line) ?? [''];
    const content = line.slice(quotes.length).replace(/^ /, '');
    const isSignature = content === '-- ';
    const joinsPrevious = continuesNext && quotes.length === depth && !isSignature;
    if (joinsPrevious) out[out.length - 1] += content;
    else out.push(quotes === '' ? content : `${quotes} ${content}`);
    continuesNext = content.endsWith(' ') && !isSignature;
    depth = quotes.length;
    if (continuesNext && deletesSpaces) out[out.length - 1] = (out.at(-1) ?? '').slice(0, -1);
  }
  return out.join('\n');
}
