import { pluralise } from '@scriptorium/contracts/pluralise';
import { html } from '../html.ts';
import type { DocsPage } from '../layout.ts';
import { maxHits, type SearchHit } from './index.ts';

/** The number of results as text. */
export function formatResultCount({ length }: readonly SearchHit[]): string {
  if (length === 0) return 'No matches';
  return length === maxHits ? `First ${length} results` : pluralise(length, 'result');
}

/** The results as a page, for browsers without scripts. */
export function searchPage(query: string, hits: readonly SearchHit[]): DocsPage {
  const content = html`<h1>Search</h1>
<form class="search" action="/docs/search" role="search"><label for="query">Search the documentation</label><input id="query" name="q" type="search" value="${query}" maxlength="100"><button type="submit">Search</button></form>
${query.trim() !== '' && html`<p class="soft" role="status">${formatResultCount(hits)}</p>`}
<ol class="hits">${hits.map(
    ({ url, page, title, excerpt }) =>
      html`<li><h2><a href="${url}">${title}</a></h2><p class="soft">${page}</p><p>${excerpt}</p></li>`,
  )}</ol>`;
  return { path: '/docs/search', title: 'Search', content };
}
