import { Link } from 'wouter-preact';
import type { WebhookRecord } from '../../../contracts/wire/webhooks.ts';
import { type Loaded, useAnswer } from '../../api/hooks.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import { Actions } from './actions.tsx';
import { Deliveries } from './deliveries/deliveries.tsx';
import { Replays } from './deliveries/replays.tsx';
import { EditWebhook } from './form/edit.tsx';
import { Health } from './health.tsx';
import {
  deleteWebhook,
  getWebhook,
  listDeliveries,
  moveWebhook,
  rotateSecret,
  testWebhook,
} from './requests.ts';
import { Settings } from './settings.tsx';

const sides = [
  ['deliveries', 'Deliveries'],
  ['replays', 'Replays'],
  ['settings', 'Settings'],
] as const;

/** A webhook, and one side of it. */
export function OneWebhook({ id, side }: { id: string; side: string }) {
  const webhook = useAnswer(getWebhook(id));
  return (
    <>
      <p>
        <Link href="/">Webhooks</Link>
      </p>
      {webhook.problem ? (
        <ProblemState problem={webhook.problem} onRetry={webhook.reload} />
      ) : webhook.data ? (
        <Shown of={webhook.data} loaded={webhook} side={side} />
      ) : (
        <Loading what="the webhook" lines={6} />
      )}
    </>
  );
}

interface ShownProps {
  of: WebhookRecord;
  loaded: Loaded<WebhookRecord>;
  side: string;
}

function Shown({ of: webhook, loaded, side }: ShownProps) {
  const { can } = useSession();
  if (side === 'edit') {
    return can('webhooks:write') ? (
      <EditWebhook of={webhook} loaded={loaded} />
    ) : (
      <Empty title="This key may not change webhooks">
        It needs the scope <code>webhooks:write</code>.
      </Empty>
    );
  }
  return (
    <>
      <div class="page-head">
        <div>
          <h1 class="dev-any">{webhook.url}</h1>
          {webhook.description && <p class="dev-any">{webhook.description}</p>}
        </div>
        <div class="row">
          {can('webhooks:write') && <Actions of={webhook} loaded={loaded} />}
          <ApiCalls
            calls={[
              ['Get the webhook', getWebhook(webhook.id)],
              ['List its deliveries', listDeliveries(webhook.id)],
              ['Send a test', testWebhook(webhook.id)],
              ['Rotate its secret', rotateSecret(webhook.id, 86_400)],
              ['Pause it', moveWebhook(webhook.id, 'pause')],
              ['Delete it', deleteWebhook(webhook)],
            ]}
          />
        </div>
      </div>
      <Health of={webhook} reload={loaded.reload} />
      <nav class="tabs dev-tabs" aria-label="Webhook">
        {sides.map(([path, label]) => (
          <Link
            key={path}
            href={`/${webhook.id}/${path}`}
            aria-current={side === path ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {side === 'settings' ? (
        <Settings of={webhook} />
      ) : side === 'replays' ? (
        <Replays of={webhook} />
      ) : (
        <Deliveries of={webhook} />
      )}
    </>
  );
}
