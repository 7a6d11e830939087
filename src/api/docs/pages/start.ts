import { limits } from '@scriptorium/contracts/limits';
import type { Json } from '../../openapi/json.ts';
import { html } from '../html.ts';
import type { DocsPage } from '../layout.ts';
import { operationsOf, tagPath, tagsOf } from '../openapi-accessors.ts';
import { inlineProse } from '../prose.ts';

const formatCount = (value: number) => value.toLocaleString('en');

/** The index of the guides, then the groups of the API reference and the limits. */
export function startPage(document: Json, index: DocsPage): DocsPage {
  const operations = operationsOf(document);
  const groups = tagsOf(document).filter(({ name }) => operations.some(({ tag }) => tag === name));
  const content = html`${index.content}
<h2 class="part" id="reference">API reference</h2>
<ul class="cards">${groups.map(
    ({ name, description }) =>
      html`<li><h3><a href="${tagPath(name)}">${name}</a></h3><p>${inlineProse(description)}</p></li>`,
  )}</ul>

<h2 class="part" id="limits">Limits</h2>
<p><a href="/docs/reference/service#getLimits"><code>GET /v1/limits</code></a> returns these values.</p>
<div class="wide" tabindex="0" role="group" aria-label="Limits"><table><thead><tr><th scope="col">Limit</th><th scope="col">Value</th></tr></thead><tbody>${Object.entries(
    limits,
  ).map(
    ([name, value]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${formatCount(value)}</td></tr>`,
  )}</tbody></table></div>`;
  return { path: '/docs', title: 'Start', content };
}
