import type { Json } from '../../openapi/json.ts';
import { isObject } from '../../openapi/schemas.ts';
import { codeBlock, highlightJson } from '../code.ts';
import { fieldList } from '../fields.ts';
import { type Html, html } from '../html.ts';
import type { DocsPage } from '../layout.ts';
import { listAt, objectAt, textAt } from '../openapi-accessors.ts';
import { inlineProse } from '../prose.ts';

/** Every event type: when it is recorded, what `data` contains, an example message. */
export function eventTypesPage(document: Json): DocsPage {
  const types = Object.entries(objectAt(document, 'webhooks'));
  const typesIn = (category: string) =>
    types.filter(([, type]) => textAt(objectAt(type, 'post'), 'x-category') === category);
  const content = html`<h1>Event types</h1>
<div class="lead"><p>An event type names a domain, a resource and a verb in the past tense. Events of category <code>domain</code> record changes of resources; wildcards such as <code>documents.*</code> match them. Events of category <code>audit</code> require the scope <code>audit:read</code>, and a webhook receives them only if it lists the type by its full name. All events share the same fields. <code>data</code> has a separate schema for each type, which is enforced when the event is recorded.</p></div>
<h2 class="part">Domain</h2><ul class="catalogue">${typesIn('domain').map(entry)}</ul>
<h2 class="part">Audit</h2><ul class="catalogue">${typesIn('audit').map(entry)}</ul>`;
  return { path: '/docs/event-types', title: 'Event types', content };
}

function entry([type, item]: [string, unknown]): Html {
  const post = objectAt(item, 'post');
  const media = objectAt(post, 'requestBody', 'content', 'application/json');
  const [, typeSchema] = listAt(objectAt(media, 'schema'), 'allOf').filter(isObject);
  const fields = fieldList(objectAt(typeSchema, 'properties', 'data'));
  return html`<li id="${type}"><h3><a href="#${type}"><code>${type}</code></a></h3><p>${inlineProse(post.summary)}</p>${
    fields.text ? fields : html`<p class="soft"><code>data</code> is empty.</p>`
  }<details><summary>Example</summary>${codeBlock('Message', highlightJson(media.example))}</details></li>`;
}
