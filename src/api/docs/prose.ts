import { type Html, type HtmlPiece, html } from './html.ts';

/** The Markdown subset that descriptions use: paragraphs, `code` and web addresses. */
export function prose(text: unknown): Html {
  if (typeof text !== 'string' || text === '') return html``;
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inlineProse(paragraph)}</p>`)}`;
}

/** Text within a paragraph: `code` and web addresses. */
export function inlineProse(text: unknown): Html {
  if (typeof text !== 'string') return html``;
  const pieces: HtmlPiece[] = text.split(/(`[^`]+`|https?:\/\/[^\s)]+[^\s).,])/).map((part) => {
    if (/^`.+`$/.test(part)) return html`<code>${part.slice(1, -1)}</code>`;
    if (/^https?:\/\//.test(part)) return html`<a href="${part}">${part}</a>`;
    return part;
  });
  return html`${pieces}`;
}
