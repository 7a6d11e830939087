import type { WebhookRecord, WebhookTest } from '@scriptorium/contracts/wire/webhooks';
import { useState } from 'preact/hooks';
import { useAction, useResource } from '../../../api/hooks.ts';
import { useQueryState } from '../../../api/location.ts';
import { requestFor } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { SelectField, TextField } from '../../../kit/fields/field.tsx';
import { PageHead } from '../../../kit/page-head.tsx';
import { Empty, Loading, ProblemNotice, ProblemState } from '../../../kit/states.tsx';
import { StateBadge } from '../../../kit/values.tsx';
import { useSession } from '../../../shell/session.tsx';
import { MessageBody } from '../deliveries/message.tsx';
import { RequestOutcome } from '../deliveries/request-outcome.tsx';
import { useSignature } from './signature.ts';
import { SignatureSteps } from './signature-steps.tsx';

/** The example secret of the Standard Webhooks documentation. */
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const defaultType = 'dam.object.available';

/**
 * Shows the message of any event type with its signature, computed in the browser, and sends it.
 */
export function Playground() {
  const types = useResource(requestFor('listEventTypes'));
  const webhooks = useResource(requestFor('listWebhooks', { limit: 200 }));
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
        <ProblemState
          problem={problem}
          onRetry={() => {
            types.reload();
            webhooks.reload();
          }}
        />
      ) : types.data && webhooks.data ? (
        <PlaygroundForm types={types.data.data} webhooks={webhooks.data.data} />
      ) : (
        <Loading what="event types" lines={6} />
      )}
    </>
  );
}

interface PlaygroundFormProps {
  types: readonly { type: string; summary: string; example: object }[];
  webhooks: readonly WebhookRecord[];
}

function PlaygroundForm({ types, webhooks }: PlaygroundFormProps) {
  const { can } = useSession();
  const [query, setQuery] = useQueryState();
  const [secret, setSecret] = useState('');
  const [result, setResult] = useState<WebhookTest | null>(null);
  const [openedAt] = useState(() => String(Math.floor(Date.now() / 1_000)));
  const { run, busy, problem } = useAction({ quiet: true });
  const type = types.find((one) => one.type === (query.get('type') ?? defaultType)) ?? types[0]!;
  const webhook = webhooks.find(({ id }) => id === query.get('webhook')) ?? webhooks[0];
  const message = result
    ? {
        id: result.request.headers['webhook-id'] ?? '',
        timestamp: result.request.headers['webhook-timestamp'] ?? '',
        body: result.request.body,
      }
    : { ...exampleMessage(type.example, webhook), timestamp: openedAt };
  const signature = useSignature(message, secret || exampleSecret);
  const select = (changes: Record<string, string>) => {
    setResult(null);
    setQuery(changes);
  };
  const send = async () => {
    const response =
      webhook && (await run(requestFor('testWebhook', { id: webhook.id, event_type: type.type })));
    if (response) setResult(response.data);
  };
  return (
    <div class="webhook-exchange">
      <div class="stack">
        <section class="card stack" aria-label="Message">
          <SelectField
            label="Event type"
            hint={type.summary}
            value={type.type}
            onChange={(value) => select({ type: value })}
            options={types.map((one) => [one.type, one.type] as const)}
          />
          {webhook ? (
            <>
              <SelectField
                label="Endpoint"
                value={webhook.id}
                onChange={(value) => select({ webhook: value })}
                options={webhooks.map(({ id, url }) => [id, url] as const)}
              />
              {can('webhooks:write') && (
                <div class="row">
                  <Button primary icon="send" busy={busy} onClick={() => void send()}>
                    {result ? 'Send again' : 'Send to this endpoint'}
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
          <MessageBody body={message.body} />
        </section>
        {result && (
          <section class="card stack" aria-label="Response">
            <div class="row">
              <h2>Response</h2>
              <StateBadge state={result.outcome} />
            </div>
            <RequestOutcome result={result} />
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
        <SignatureSteps
          message={message}
          signature={signature}
          sentSignatures={result?.request.headers['webhook-signature'] ?? null}
          isExample={secret === ''}
        />
      </div>
    </div>
  );
}

/** An example as an endpoint would receive it. */
function exampleMessage(example: object, webhook: WebhookRecord | undefined) {
  const { id, data, ...rest } = example as { id: string; data: unknown };
  const body = webhook?.payload === 'thin' ? { id, ...rest } : { id, ...rest, data };
  return { id, body: JSON.stringify(body) };
}
