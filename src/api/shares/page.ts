import type { Context } from 'koa';
import { Html, type HtmlPiece, html } from '../docs/html.ts';
import { brand, fontLink, fontSources } from '../look.ts';
import { hashSource, style } from './style.ts';

/** Whether the client is a program rather than a browser. */
export const wantsJson = (ctx: Context): boolean => ctx.accepts('html', 'json') === 'json';

/** A page of a link. */
export interface Page {
  title: string;
  /** The part above the content: heading, message, actions. */
  head: HtmlPiece;
  content: HtmlPiece;
  /** The only script of the page. */
  script?: string;
  /** Seconds after which a browser loads the page again. */
  refresh?: number;
}

/** Sends a page that loads pictures from this service only, and that must not be indexed or framed. */
export function sendPage(ctx: Context, status: number, page: Page): void {
  const { title, head, content, script, refresh } = page;
  ctx.status = status;
  ctx.set({
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src ${fontSources.style} ${hashSource(style)}`,
      fontSources.font,
      "img-src 'self' data:",
      ...(script ? [`script-src ${hashSource(script)}`, "connect-src 'self'"] : []),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
    'Cache-Control': 'private, no-store',
    Vary: 'Accept, Cookie',
  });
  if (refresh) ctx.set('Refresh', String(refresh));
  ctx.body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>${title}</title>${fontLink}<style>${new Html(style)}</style></head>
<body><header>${brand}${head}</header><main>${content}</main><footer>Shared with Scriptorium</footer>${
    script ? html`<script>${new Html(script)}</script>` : null
  }</body></html>`.text;
  ctx.set('Content-Type', 'text/html; charset=utf-8');
}

/** Sends the JSON that programs receive instead of a page. */
export function sendJson(ctx: Context, body: object): void {
  ctx.status = 200;
  ctx.set({ 'Cache-Control': 'private, no-store', Vary: 'Accept, Cookie' });
  ctx.body = JSON.stringify(body);
  ctx.set('Content-Type', 'application/json');
}
