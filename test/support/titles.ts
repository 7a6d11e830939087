/** A call of `it`, `describe` or a `describe…` helper, up to its title. */
const call = /(?<![\w.])(?:it|describe\w*)(?:\.(?:only|skip))?\(\s*(?=['"`])/g;

/** The titles in the source of a test. Each part of a template that varies is `…`. */
export function titlesOf(source: string): Set<string> {
  const calls = [...source.matchAll(call)];
  return new Set(calls.map((match) => readLiteral(source, match.index + match[0].length).text));
}

/** Reads the string or template whose opening quote is at `start`. */
function readLiteral(source: string, start: number): { text: string; end: number } {
  const quote = source[start];
  let text = '';
  let at = start + 1;
  while (at < source.length && source[at] !== quote) {
    if (source[at] === '\\') {
      text += source[at + 1];
      at += 2;
    } else if (quote === '`' && source.startsWith('${', at)) {
      text += '…';
      at = endOfExpression(source, at + 2) + 1;
    } else {
      text += source[at];
      at += 1;
    }
  }
  return { text, end: at };
}

/**
 * Returns the position of the brace that closes the expression of a template, which may contain
 * further literals.
 */
function endOfExpression(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (/['"`]/.test(source[at]!)) at = readLiteral(source, at).end;
    else if (source[at] === '{') depth += 1;
    else if (source[at] === '}') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return source.length;
}
