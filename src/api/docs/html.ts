/** Markup that is safe to send. `html` escapes all interpolated values. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlPiece = Html | string | number | null | undefined | false | readonly HtmlPiece[];

/** Markup from a template: interpolated values are escaped unless they are `Html`. */
export function html(strings: TemplateStringsArray, ...pieces: HtmlPiece[]): Html {
  let text = strings[0]!;
  pieces.forEach((piece, index) => {
    text += textOf(piece) + strings[index + 1]!;
  });
  return new Html(text);
}

function textOf(piece: HtmlPiece): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'string') return escapeHtml(piece);
  if (typeof piece === 'number') return String(piece);
  return piece.map(textOf).join('');
}

/** Text escaped for element content and quoted attributes. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
