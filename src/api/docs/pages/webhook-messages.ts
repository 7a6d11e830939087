import type { Json } from '../../openapi/json.ts';
import { fieldItem, fieldList } from '../fields.ts';
import { html } from '../html.ts';
import type { DocsPage } from '../layout.ts';
import { objectAt, textAt } from '../openapi-accessors.ts';

/** The headers and the body of the messages that webhooks send. */
export function webhookPage(document: Json): DocsPage {
  const headers = ['WebhookId', 'WebhookTimestamp', 'WebhookSignature', 'WebhookReplayId'].map(
    (name) => objectAt(document, 'components', 'parameters', name),
  );
  const content = html`<h1>Webhook messages</h1>
<div class="lead"><p>A webhook message is a POST request with an event as JSON, signed as described in <a href="https://www.standardwebhooks.com">Standard Webhooks 1.0</a>. <a href="/docs/guides/webhooks">The guide</a> explains how to receive, verify and replay them.</p></div>
<h2 class="part">Headers</h2>
<ul class="fields">${headers.map((header) =>
    fieldItem(
      textAt(header, 'name'),
      { ...objectAt(header, 'schema'), description: header.description },
      header.required === true,
    ),
  )}</ul>
<h2 class="part">Body</h2>
<p>Thin webhooks omit <code>data</code>. <a href="/docs/event-types">Event types</a> lists its fields by type.</p>
${fieldList(objectAt(document, 'components', 'schemas', 'WebhookMessage'))}`;
  return { path: '/docs/webhook-messages', title: 'Webhook messages', content };
}
