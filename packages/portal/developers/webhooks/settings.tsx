import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { ButtonLink } from '../../kit/button.tsx';
import { Fact } from '../../kit/fact.tsx';
import { CopyButton, Id, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { VerifyInstructions } from './verify-instructions.tsx';

/** The settings of a webhook. */
export function Settings({ webhook }: { webhook: WebhookRecord }) {
  const { can } = useSession();
  const headers = Object.entries(webhook.headers);
  const filter = Object.entries(webhook.filter ?? {});
  return (
    <div class="stack">
      <section class="card stack">
        <div class="row">
          <h2>Settings</h2>
          {can('webhooks:write') && (
            <ButtonLink small href={`/${webhook.id}/edit`}>
              Edit
            </ButtonLink>
          )}
        </div>
        <dl class="facts">
          <Fact name="ID" value={<Id id={webhook.id} />} />
          <Fact name="Event types">
            <span class="row">
              {webhook.event_types.map((type) => (
                <code key={type}>{type}</code>
              ))}
            </span>
          </Fact>
          <Fact
            name="Filter"
            value={
              filter.length === 0
                ? 'None'
                : filter.map(([pointer, values]) => (
                    <div key={pointer} class="mono">
                      {pointer} is {values.map((value) => JSON.stringify(value)).join(' or ')}
                    </div>
                  ))
            }
          />
          <Fact name="Payload" value={webhook.payload === 'full' ? 'Full' : 'Thin, without data'} />
          <Fact
            name="Headers"
            value={
              headers.length === 0
                ? 'None'
                : headers.map(([name, value]) => (
                    <div key={name} class="mono">
                      {name}: {value}
                    </div>
                  ))
            }
          />
          <Fact name="Limits">
            {webhook.max_per_second === null
              ? 'No rate limit'
              : `${webhook.max_per_second} per second`}
            , {webhook.max_in_flight} concurrent
          </Fact>
          <Fact
            name="Signatures"
            value={webhook.signing
              .map((kind) => (kind === 'v1' ? 'v1 (HMAC)' : 'v1a (ed25519)'))
              .join(', ')}
          />
          <Fact name="Updated" value={<Time at={webhook.updated_at} exact />} />
        </dl>
      </section>
      <section class="card stack">
        <h2>Verify messages</h2>
        {webhook.public_keys.map((key) => (
          <div key={key} class="row">
            <span class="soft">Public key</span> <code class="dev-any">{key}</code>
            <CopyButton text={key} subject="public key" />
          </div>
        ))}
        <VerifyInstructions />
      </section>
    </div>
  );
}
