import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { Link } from 'wouter-preact';
import { type Loaded, useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Answered, Empty } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import { WebhookActions } from './actions.tsx';
import { Deliveries } from './deliveries/deliveries.tsx';
import { Replays } from './deliveries/replays.tsx';
import { EditWebhook } from './form/edit.tsx';
import { Health } from './health.tsx';
import { Settings } from './settings.tsx';
import { Stats } from './stats/stats.tsx';

const sides = [
  ['deliveries', 'Deliveries'],
  ['stats', 'Statistics'],
  ['replays', 'Replays'],
  ['settings', 'Settings'],
] as const;

/** The page of a webhook, with one of its tabs. */
export function OneWebhook({ id, side }: { id: string; side: string }) {
  const webhook = useAnswer(requestFor('getWebhook', { id }));
  return (
    <>
      {!webhook.data && <PageHead title="Webhook" crumbs={[['Webhooks', '/']]} />}
      <Answered of={webhook} what="webhook" lines={6}>
        {(data) => <Shown of={data} loaded={webhook} side={side} />}
      </Answered>
    </>
  );
}

interface ShownProps {
  of: WebhookRecord;
  loaded: Loaded<WebhookRecord>;
  side: string;
}

/** Whether a webhook has a page of this name. */
export function isSide(name: string): boolean {
  return name === 'edit' || sides.some(([side]) => side === name);
}

function Shown({ of: webhook, loaded, side }: ShownProps) {
  const { can } = useSession();
  if (side === 'edit') {
    return can('webhooks:write') ? (
      <EditWebhook of={webhook} loaded={loaded} />
    ) : (
      <Empty title="Access denied">
        Editing webhooks requires the scope <code>webhooks:write</code>.
      </Empty>
    );
  }
  return (
    <>
      <PageHead
        title={webhook.url}
        about={webhook.description}
        crumbs={[['Webhooks', '/']]}
        calls={[
          ['Get webhook', requestFor('getWebhook', { id: webhook.id })],
          ['Get statistics', requestFor('getWebhookStats', { id: webhook.id, period: '24h' })],
          ['List deliveries', requestFor('listDeliveries', { id: webhook.id })],
          ['Send test', requestFor('testWebhook', { id: webhook.id })],
          [
            'Rotate secret',
            requestFor('rotateWebhookSecret', {
              id: webhook.id,
              body: { overlap_seconds: 86_400 },
            }),
          ],
          ['Pause webhook', requestFor('pauseWebhook', { id: webhook.id })],
          [
            'Delete webhook',
            requestFor('deleteWebhook', { id: webhook.id, version: webhook.version }),
          ],
        ]}
        actions={can('webhooks:write') && <WebhookActions of={webhook} loaded={loaded} />}
      />
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
      ) : side === 'stats' ? (
        <Stats of={webhook} />
      ) : side === 'replays' ? (
        <Replays of={webhook} />
      ) : (
        <Deliveries of={webhook} onChange={loaded.reload} />
      )}
    </>
  );
}
