import type { WebhookRecord, WebhookTest } from '@scriptorium/contracts/wire/webhooks';
import { useState } from 'preact/hooks';
import { useAction, useAnswer } from '../../../api/hooks.ts';
import { useQueryState } from '../../../api/location.ts';
import { requestFor } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { SelectField, TextField } from '../../../kit/fields/field.tsx';
import { PageHead } from '../../../kit/page-head.tsx';
import { Empty, Loading, ProblemNotice, ProblemState } from '../../../kit/states.tsx';
import { State } from '../../../kit/values.tsx';
import { useSession } from '../../../shell/session.tsx';
import { Exchange } from '../deliveries/attempt.tsx';
import { Body } from '../deliveries/message.tsx';
import { useSignature } from './signature.ts';
import { Steps } from './steps.tsx';

/** The example secret of the Standard Webhooks documentation. */
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const firstType = 'dam.object.available';

/**
 * A message of any type: shows its body and its signature, computed in the browser, and sends it.
 */
export function Playground() {
  const types = useAnswer(requestFor('listEventTypes'));
  const webhooks = useAnswer(requestFor('listWebhooks', { limit: 200 }));
  const problem = types.problem ?? webhooks.problem;
  return (
    <>
      <PageHead
        title="Playground"
        about="The message of any event type, its signature, and the response of an endpoint."
        crumbs={[['Webhooks', '/']]}
        calls={[['List event types', requestFor('listEventTypes')]]}
      />
      {problem ? (
        <ProblemState problem={problem} />
      ) : types.data && webhooks.data ? (
        <Shown types={types.data.data} webhooks={webhooks.data.data} />
      ) : (
        <Loading what="event types" lines={6} />
      )}
    </>
  );
}

interface ShownProps {
  types: readonly { type: string; summary: string; example: object }[];
  webhooks: readonly WebhookRecord[];
}

function Shown({ types, webhooks }: ShownProps) {
  const { can } = useSession();
  const [query, setQuery] = useQueryState();
  const [secret, setSecret] = useState('');
  const [sent, setSent] = useState<WebhookTest | null>(null);
  const [openedAt] = useState(() => String(Math.floor(Date.now() / 1_000)));
  const { run, busy, problem } = useAction({ quiet: true });
  const type = types.find((one) => one.type === (query.get('type') ?? firstType)) ?? types[0]!;
  const webhook = webhooks.find(({ id }) => id === query.get('webhook')) ?? webhooks[0];
  const message = sent
    ? {
        id: sent.request.headers['webhook-id'] ?? '',
        timestamp: sent.request.headers['webhook-timestamp'] ?? '',
        body: sent.request.body,
      }
    : { ...exampleOf(type.example, webhook), timestamp: openedAt };
  const signing = useSignature(message, secret || exampleSecret);
  const choose = (changes: Record<string, string>) => {
    setSent(null);
    setQuery(changes);
  };
  const send = async () => {
    const answer =
      webhook && (await run(requestFor('testWebhook', { id: webhook.id, event_type: type.type })));
    if (answer) setSent(answer.data);
  };
  return (
    <div class="webhook-exchange">
      <div class="stack">
        <section class="card stack" aria-label="Message">
          <SelectField
            label="Event type"
            hint={type.summary}
            value={type.type}
            onChange={(value) => choose({ type: value })}
            options={types.map((one) => [one.type, one.type] as const)}
          />
          {webhook ? (
            <>
              <SelectField
                label="Endpoint"
                value={webhook.id}
                onChange={(value) => choose({ webhook: value })}
                options={webhooks.map(({ id, url }) => [id, url] as const)}
              />
              {can('webhooks:write') && (
                <div class="row">
                  <Button primary icon="send" busy={busy} onClick={() => void send()}>
                    {sent ? 'Send again' : 'Send to this endpoint'}
                  </Button>
                  <span class="soft">An example that does not refer to any of your resources.</span>
                </div>
              )}
            </>
          ) : (
            <Empty icon="webhooks" title="No webhooks yet">
              Create a webhook to send the message to it.
            </Empty>
          )}
          <ProblemNotice problem={problem} />
          <Body of={message.body} />
        </section>
        {sent && (
          <section class="card stack" aria-label="Answer">
            <div class="row">
              <h2>Answer</h2>
              <State state={sent.outcome} />
            </div>
            <Exchange of={sent} />
          </section>
        )}
      </div>
      <div class="stack">
        <div class="card stack">
          <TextField
            label="Secret"
            hint="Only used in this page; it is never sent or stored. Without a secret, an example is used."
            placeholder={exampleSecret}
            type="password"
            value={secret}
            onInput={setSecret}
          />
        </div>
        <Steps
          message={message}
          signing={signing}
          sent={sent?.request.headers['webhook-signature'] ?? null}
          isExample={secret === ''}
        />
      </div>
    </div>
  );
}

/** An example as an endpoint would receive it. */
function exampleOf(example: object, webhook: WebhookRecord | undefined) {
  const { id, data, ...rest } = example as { id: string; data: unknown };
  const body = webhook?.payload === 'thin' ? { id, ...rest } : { id, ...rest, data };
  return { id, body: JSON.stringify(body) };
}
