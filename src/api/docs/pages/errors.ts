import type { Json } from '../../openapi/json.ts';
import { isObject } from '../../openapi/schemas.ts';
import { codeBlock, shown } from '../code.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { phrase } from '../prose.ts';
import { listAt, objectAt, textAt } from '../read.ts';

/** Every code of a problem, with what it means and one that was really answered. */
export function errorsPage(document: Json): Page {
  const codes = listAt(objectAt(document, 'components', 'schemas', 'ProblemCode'), 'oneOf').filter(
    isObject,
  );
  const examples = objectAt(document, 'components', 'examples');
  const content = html`<h1>Errors</h1>
<div class="lead"><p>What is refused is told as <code>application/problem+json</code> (RFC 9457). Go by <code>code</code>: one code, one thing to do. <code>detail</code> is for people; <code>errors</code> has every fault of the request at once, each with the place it is in: a <code>pointer</code> into the body, a <code>parameter</code> or a <code>header</code>. With <code>retryable</code> the same request may succeed later. <code>request_id</code> is what an operator finds it by.</p></div>
<ul class="catalogue">${codes.map((code) => {
    const name = String(code.const);
    const example = objectAt(examples, name).value;
    return html`<li id="${name}"><h2><span class="status">${textAt(code, 'title').split(' ')[0]}</span> <a href="#${name}"><code>${name}</code></a></h2><p>${phrase(code.description)}</p>${
      example !== undefined &&
      html`<details><summary>Example</summary>${codeBlock('Answer', shown(example))}</details>`
    }</li>`;
  })}</ul>`;
  return { path: '/docs/errors', title: 'Errors', content };
}
