import { type Html, type HtmlPiece, html } from './html.ts';

/** A block of code with a heading, to which a script adds a copy button. */
export function codeBlock(label: HtmlPiece, code: HtmlPiece): Html {
  return html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

/** A value as highlighted JSON; text unchanged. */
export function highlightJson(value: unknown): HtmlPiece {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value, null, 2) ?? '';
  const parts = text.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?)/);
  return parts.map((part, index) => {
    if (index % 2 === 0) return part;
    if (part.endsWith(':')) return html`<span class="t-key">${part.slice(0, -1)}</span>:`;
    return html`<span class="${part.startsWith('"') ? 't-text' : 't-value'}">${part}</span>`;
  });
}
