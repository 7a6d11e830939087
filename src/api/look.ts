import { html } from './docs/html.ts';

/** The stylesheet with which pages outside the portal load its font. The portal's build writes it. */
export const fontLink = html`<link rel="stylesheet" href="/portal/fonts.css">`;

/** What `fontLink` needs in a Content-Security-Policy. */
export const fontSources = { style: "'self'", font: "font-src 'self'" };

/** The logo with the name, for the top of a page. Its style is `brandStyle`. */
export const brand = html`<p class="brand"><svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#2f5d8a"/><path d="M9 7h10l4 4v14H9z" fill="#fff"/><path d="M12 14h8M12 18h8M12 22h5" stroke="#2f5d8a" stroke-width="1.8" stroke-linecap="round"/></svg>Scriptorium</p>`;

export const brandStyle =
  '.brand{display:flex;align-items:center;gap:.6rem;margin:0 0 1.5rem;font-weight:600}';

export const fontFamily = 'Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif';
