import type { Json } from '../../openapi/json.ts';
import { isObject } from '../../openapi/schemas.ts';
import { codeBlock, shown } from '../code.ts';
import { fieldList } from '../fields.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { phrase } from '../prose.ts';
import { listAt, objectAt, textAt } from '../read.ts';

/** Every type of event: when it happens, what its `data` holds, a message as webhooks send it. */
export function eventTypesPage(document: Json): Page {
  const types = Object.entries(objectAt(document, 'webhooks'));
  const of = (category: string) =>
    types.filter(([, type]) => textAt(objectAt(type, 'post'), 'x-category') === category);
  const content = html`<h1>Types of event</h1>
<div class="lead"><p>Events are named domain, resource, past tense. Those of category <code>domain</code> are changes of resources: they stand in the feed, and wildcards such as <code>documents.*</code> match them. Those of category <code>audit</code> need the scope <code>audit:read</code>, and webhooks get them by their full name only. All have the same fields; <code>data</code> is of the type’s own schema, which every event was held against when it was recorded.</p></div>
<h2 class="part">Domain</h2><ul class="catalogue">${of('domain').map(entry)}</ul>
<h2 class="part">Audit</h2><ul class="catalogue">${of('audit').map(entry)}</ul>`;
  return { path: '/docs/event-types', title: 'Types of event', content };
}

function entry([type, item]: [string, unknown]): Html {
  const post = objectAt(item, 'post');
  const media = objectAt(post, 'requestBody', 'content', 'application/json');
  const [, own] = listAt(objectAt(media, 'schema'), 'allOf').filter(isObject);
  const fields = fieldList(objectAt(own, 'properties', 'data'));
  return html`<li id="${type}"><h3><a href="#${type}"><code>${type}</code></a></h3><p>${phrase(post.summary)}</p>${
    fields.text ? fields : html`<p class="soft">Its <code>data</code> is empty.</p>`
  }<details><summary>Example</summary>${codeBlock('Message', shown(media.example))}</details></li>`;
}
