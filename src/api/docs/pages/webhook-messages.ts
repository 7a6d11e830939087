import type { Json } from '../../openapi/json.ts';
import { codeBlock } from '../code.ts';
import { fieldItem, fieldList } from '../fields.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { objectAt, textAt } from '../read.ts';

const verify = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…

// body: the bytes as they came, before any parsing
export function receive(body, headers) {
  const event = webhook.verify(body, headers); // throws when the signature does not hold
  return event;
}`;

const byHand = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function holds(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': list } = headers;
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false; // somebody's recording
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(\`\${id}.\${time}.\`).update(body).digest();
  return list
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice(3), 'base64'))
    .some((given) => given.length === mac.length && timingSafeEqual(given, mac));
}`;

/** What a receiver of webhooks has to do. */
export function webhookPage(document: Json): Page {
  const headers = ['WebhookId', 'WebhookTimestamp', 'WebhookSignature', 'WebhookReplayId'].map(
    (name) => objectAt(document, 'components', 'parameters', name),
  );
  const content = html`<h1>Receiving webhooks</h1>
<div class="lead"><p>Make one with <a href="/docs/reference/webhooks#createWebhook"><code>POST /v1/webhooks</code></a>; its secret is shown once. Every message is an event, signed as <a href="https://www.standardwebhooks.com">Standard Webhooks 1.0</a> has it, so that its libraries verify it as it is.</p></div>
<h2 class="part">Headers</h2>
<ul class="fields">${headers.map((header) =>
    fieldItem(
      textAt(header, 'name'),
      { ...objectAt(header, 'schema'), description: header.description },
      header.required === true,
    ),
  )}</ul>
<h2 class="part">Verify it</h2>
<p>The signature covers the bytes exactly as they came: verify before parsing. While a secret is rotated both sign; one signature that holds is enough.</p>
${codeBlock('With the library', verify)}
${codeBlock('By hand', byHand)}
<h2 class="part">Then</h2>
<ul class="plain"><li><strong>Answer first.</strong> Any 2xx within 15 seconds confirms the message; keep it, answer, then work. Anything else, redirects included, is tried again: after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h. 410 disables the webhook.</li>
<li><strong>Once.</strong> The same event may come twice, with the same <code>webhook-id</code>.</li>
<li><strong>In order, if you need it.</strong> Messages overtake one another; <code>sequence</code> is without gaps in its project and category.</li>
<li><strong>What was missed</strong> is sent again by a <a href="/docs/reference/webhooks#replayWebhook">replay</a>, or read from <a href="/docs/reference/events#listEvents">the feed</a>.</li></ul>
<h2 class="part">The body</h2>
<p>Thin webhooks get all of it but <code>data</code>, which <a href="/docs/event-types">the type of the event</a> describes.</p>
${fieldList(objectAt(document, 'components', 'schemas', 'WebhookMessage'))}`;
  return { path: '/docs/webhook-messages', title: 'Receiving webhooks', content };
}
