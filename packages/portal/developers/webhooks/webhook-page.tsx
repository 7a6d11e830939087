import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { Link } from 'wouter-preact';
import { type LoadedResource, useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { AnswerView, Empty } from '../../kit/states.tsx';
import { webhookTitle } from '../../kit/webhook-title.ts';
import { useSession } from '../../shell/session.tsx';
import { WebhookActions } from './actions.tsx';
import { Deliveries } from './deliveries/deliveries.tsx';
import { Replays } from './deliveries/replays.tsx';
import { EditWebhook } from './form/edit-webhook.tsx';
import { Health } from './health.tsx';
import { Settings } from './settings.tsx';
import { Stats } from './stats/stats.tsx';

const tabs = [
  ['deliveries', 'Deliveries'],
  ['stats', 'Statistics'],
  ['replays', 'Replays'],
  ['settings', 'Settings'],
] as const;

/** The page of a webhook, with one of its tabs. */
export function WebhookPage({ id, tab }: { id: string; tab: string }) {
  const webhook = useResource(requestFor('getWebhook', { id }));
  return (
    <>
      {!webhook.data && <PageHead title="Webhook" crumbs={[['Webhooks', '/']]} />}
      <AnswerView of={webhook} content="webhook" lines={6}>
        {(data) => <WebhookDetails webhook={data} resource={webhook} tab={tab} />}
      </AnswerView>
    </>
  );
}

interface WebhookDetailsProps {
  webhook: WebhookRecord;
  resource: LoadedResource<WebhookRecord>;
  tab: string;
}

/** Whether a webhook has a tab of this name; the page `edit` has none. */
export function isTab(name: string): boolean {
  return name === 'edit' || tabs.some(([tab]) => tab === name);
}

function WebhookDetails({ webhook, resource, tab }: WebhookDetailsProps) {
  const { can } = useSession();
  if (tab === 'edit') {
    return can('webhooks:write') ? (
      <EditWebhook webhook={webhook} resource={resource} />
    ) : (
      <Empty title="Access denied">
        Editing webhooks requires the scope <code>webhooks:write</code>.
      </Empty>
    );
  }
  const title = webhookTitle(webhook);
  return (
    <>
      <PageHead
        title={title}
        about={
          title === webhook.url ? null : (
            <span class="dev-any two-lines" title={webhook.url}>
              {webhook.url}
            </span>
          )
        }
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
          ['Send pending now', requestFor('retryDeliveries', { id: webhook.id })],
          ['Pause webhook', requestFor('pauseWebhook', { id: webhook.id })],
          [
            'Delete webhook',
            requestFor('deleteWebhook', { id: webhook.id, version: webhook.version }),
          ],
        ]}
        actions={can('webhooks:write') && <WebhookActions webhook={webhook} resource={resource} />}
      />
      <Health webhook={webhook} reload={resource.reload} />
      <nav class="tabs dev-tabs" aria-label="Webhook">
        {tabs.map(([path, label]) => (
          <Link
            key={path}
            href={`/${webhook.id}/${path}`}
            aria-current={tab === path ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {tab === 'settings' ? (
        <Settings webhook={webhook} />
      ) : tab === 'stats' ? (
        <Stats webhook={webhook} />
      ) : tab === 'replays' ? (
        <Replays webhook={webhook} />
      ) : (
        <Deliveries webhook={webhook} onChange={resource.reload} />
      )}
    </>
  );
}
