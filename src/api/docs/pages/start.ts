import { limits } from '../../../contracts/limits.ts';
import { scopes } from '../../../contracts/scopes.ts';
import type { Json } from '../../openapi/json.ts';
import { codeBlock } from '../code.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { phrase } from '../prose.ts';
import { operationsOf, tagPath, tagsOf } from '../read.ts';

const first = `export SERVICE_URL=https://… API_KEY=sk_… PROJECT_ID=prj_…

curl "$SERVICE_URL/v1/objects" \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "X-Service-Project-ID: $PROJECT_ID"`;

const count = (value: number) => value.toLocaleString('en-GB');
const minutes = { read: limits.read_requests_per_minute, write: limits.write_requests_per_minute };

/** What holds for all of the API, and where everything is. */
export function startPage(document: Json): Page {
  const operations = operationsOf(document);
  const groups = tagsOf(document).filter(({ name }) => operations.some(({ tag }) => tag === name));
  const content = html`<h1>The API of Scriptorium</h1>
<div class="lead"><p>A digital asset library, document jobs and a transactional outbox of events, over HTTP and JSON. Every example on these pages was made by a request to the API itself; only identifiers, times and secrets are invented. The whole is one <a href="/docs/openapi.json">OpenAPI 3.1 document</a>.</p></div>
<ul class="cards">${groups.map(
    ({ name, description }) =>
      html`<li><h2><a href="${tagPath(name)}">${name}</a></h2><p>${phrase(description)}</p></li>`,
  )}</ul>

<h2 class="part" id="authentication">Keys and projects</h2>
<p>Every request is made within a project. It carries an API key and the project that the key belongs to:</p>
${codeBlock('curl', first)}
<p>The operator makes projects, and the first key of each, at the command line. Keys make <a href="/docs/reference/api-keys#createKey">further keys</a>, with no more than they may do themselves; a key is shown once. What a key may do are its scopes, and each operation says which it needs:</p>
<p class="words">${scopes.map((scope) => html`<code>${scope}</code> `)}</p>
<p>A revoked key stops at once. What another project owns looks like what does not exist.</p>

<h2 class="part" id="conventions">Conventions</h2>
<ul class="plain">
<li>Identifiers have a prefix that says of what, and sort by the time they were made: <code>obj_…</code>, <code>img_…</code>, <code>job_…</code>, <code>evt_…</code>.</li>
<li>Names are in snake_case. Times end in <code>_at</code> and are ISO 8601 in UTC with milliseconds; sizes are in bytes, durations in seconds. What is not known is <code>null</code>, never absent.</li>
<li>Bodies are JSON, but for the bytes of uploads. A field that an operation does not know is 422, a parameter 400: nothing is dropped in silence.</li>
<li><code>PATCH</code> is a JSON Merge Patch (RFC 7396): what is left out stays, <code>null</code> takes away.</li>
<li><code>HEAD</code> answers wherever <code>GET</code> does.</li>
</ul>

<h2 class="part" id="pagination">Lists</h2>
<p>A list answers <code>{data, has_more, next_cursor, total}</code>. Send <code>next_cursor</code> back as <code>cursor</code>, with the same filters, until <code>has_more</code> is false; <code>Link: rel="next"</code> has the whole address. <code>limit</code> is ${limits.list_limit_default} unless said and at most ${limits.list_limit_max} (of events ${count(limits.events_limit_max)}). <code>total</code> is counted with <code>include=total</code> only, and exact.</p>

<h2 class="part" id="concurrency">Versions</h2>
<p>A resource has a <code>version</code>, and its answers an <code>ETag</code>. Send it back in <code>If-Match</code> and a change is made only to what you read: otherwise 412 <a href="/docs/errors#etag_mismatch"><code>etag_mismatch</code></a>. Changes of policies and webhooks demand it. With <code>If-None-Match</code>, what you have already is 304.</p>

<h2 class="part" id="idempotency">Sending again</h2>
<p>Whoever did not hear the answer sends the same request with the same <code>Idempotency-Key</code>: for ${limits.idempotency_hours} hours the first answer comes again, marked <code>Idempotent-Replayed: true</code>, and nothing is done twice. The key with another body is 422. Every POST takes one, but for those that say otherwise.</p>

<h2 class="part" id="errors">Errors</h2>
<p>A refusal is <code>application/problem+json</code> with a <code>code</code>, and all faults of a request come at once. <a href="/docs/errors">Every code, and what to do about it</a>.</p>

<h2 class="part" id="rates">Rates</h2>
<p>A key may make ${count(minutes.read)} requests a minute that read and ${count(minutes.write)} that write, unless the operator gave it others; what moves bytes is limited by how much goes on at once instead. <code>RateLimit</code> and <code>RateLimit-Policy</code> say what is left; above it the answer is 429 with <code>Retry-After</code>.</p>

<h2 class="part" id="limits">Limits</h2>
<p>As <a href="/docs/reference/service#getLimits"><code>GET /v1/limits</code></a> has them.</p>
<div class="wide" tabindex="0" role="group" aria-label="Limits"><table><thead><tr><th scope="col">Limit</th><th scope="col">Value</th></tr></thead><tbody>${Object.entries(
    limits,
  ).map(
    ([name, value]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${count(value)}</td></tr>`,
  )}</tbody></table></div>`;
  return { path: '/docs', title: 'Start', content };
}
