import type { Json } from '../../openapi/json.ts';
import { isObject } from '../../openapi/schemas.ts';
import { codeBlock, highlightJson } from '../code.ts';
import { html } from '../html.ts';
import type { DocsPage } from '../layout.ts';
import { listAt, objectAt, textAt } from '../openapi-accessors.ts';
import { inlineProse } from '../prose.ts';

/** Every error code: its meaning, and a recorded response of the API. */
export function errorsPage(document: Json): DocsPage {
  const codes = listAt(objectAt(document, 'components', 'schemas', 'ProblemCode'), 'oneOf').filter(
    isObject,
  );
  const examples = objectAt(document, 'components', 'examples');
  const content = html`<h1>Errors</h1>
<div class="lead"><p>Errors are returned as <code>application/problem+json</code> (RFC 9457). Handle them by <code>code</code>. <code>detail</code> is written for people and may change. <code>errors</code> lists all validation errors of the request, each with a <code>pointer</code> into the body, a <code>parameter</code> or a <code>header</code>. If <code>retryable</code> is true, the same request may succeed later. <a href="/docs/api#errors">More about errors</a></p></div>
<ul class="catalogue">${codes.map((code) => {
    const name = String(code.const);
    const example = objectAt(examples, name).value;
    return html`<li id="${name}"><h2><span class="status">${textAt(code, 'title').split(' ')[0]}</span> <a href="#${name}"><code>${name}</code></a></h2><p>${inlineProse(code.description)}</p>${
      example !== undefined &&
      html`<details><summary>Example</summary>${codeBlock('Response', highlightJson(example))}</details>`
    }</li>`;
  })}</ul>`;
  return { path: '/docs/errors', title: 'Errors', content };
}
