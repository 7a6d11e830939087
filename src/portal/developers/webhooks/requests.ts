import type { ReplayCreate, ReplayPreview, ReplayRecord } from '../../../contracts/wire/replays.ts';
import type { StatsPeriod, WebhookStats } from '../../../contracts/wire/webhook-stats.ts';
import type {
  DeliveryRecord,
  DeliveryWithAttempts,
  WebhookCreate,
  WebhookPatch,
  WebhookRecord,
  WebhookTest,
  WebhookWithSecret,
} from '../../../contracts/wire/webhooks.ts';
import type { Page } from '../../api/hooks.ts';
import type { ApiRequest } from '../../api/request.ts';

const path = '/v1/webhooks';

export const listWebhooks = (sort?: string): ApiRequest<Page<WebhookRecord>> => ({
  method: 'GET',
  path,
  query: { sort, limit: 200 },
});

export const createWebhook = (body: WebhookCreate): ApiRequest<WebhookWithSecret> => ({
  method: 'POST',
  path,
  body,
});

export const getWebhook = (id: string): ApiRequest<WebhookRecord> => ({
  method: 'GET',
  path: `${path}/${id}`,
});

export const getStats = (id: string, period: StatsPeriod): ApiRequest<WebhookStats> => ({
  method: 'GET',
  path: `${path}/${id}/stats`,
  query: { period },
});

/** `If-Match` for a version: the request fails if the webhook has changed since. */
const ifMatch = (version: number) => ({ 'If-Match': `"${version}"` });

export const updateWebhook = (
  { id, version }: WebhookRecord,
  body: WebhookPatch,
): ApiRequest<WebhookRecord> => ({
  method: 'PATCH',
  path: `${path}/${id}`,
  headers: ifMatch(version),
  body,
});

export const deleteWebhook = ({ id, version }: WebhookRecord): ApiRequest<null> => ({
  method: 'DELETE',
  path: `${path}/${id}`,
  headers: ifMatch(version),
});

export const moveWebhook = (
  id: string,
  verb: 'pause' | 'enable' | 'disable',
): ApiRequest<WebhookRecord> => ({ method: 'POST', path: `${path}/${id}/${verb}` });

export const rotateSecret = (
  id: string,
  overlapSeconds: number,
): ApiRequest<WebhookWithSecret> => ({
  method: 'POST',
  path: `${path}/${id}/rotate-secret`,
  body: { overlap_seconds: overlapSeconds },
});

export const testWebhook = (id: string, type?: string): ApiRequest<WebhookTest> => ({
  method: 'POST',
  path: `${path}/${id}/test`,
  query: { event_type: type },
});

export const listDeliveries = (
  id: string,
  query: { state?: string; event_type?: string; outcome?: string; status_code?: string } = {},
): ApiRequest<Page<DeliveryRecord>> => ({ method: 'GET', path: `${path}/${id}/deliveries`, query });

export const getDelivery = (id: string, deliveryId: string): ApiRequest<DeliveryWithAttempts> => ({
  method: 'GET',
  path: `${path}/${id}/deliveries/${deliveryId}`,
});

export const redeliver = (id: string, deliveryId: string): ApiRequest<DeliveryRecord> => ({
  method: 'POST',
  path: `${path}/${id}/deliveries/${deliveryId}/redeliver`,
});

/** Counts the events that a replay would send. */
export const previewReplay = (id: string, body: ReplayCreate): ApiRequest<ReplayPreview> => ({
  method: 'POST',
  path: `${path}/${id}/replay`,
  body: { ...body, dry_run: true },
});

export const startReplay = (id: string, body: ReplayCreate): ApiRequest<ReplayRecord> => ({
  method: 'POST',
  path: `${path}/${id}/replay`,
  body: { ...body, dry_run: false },
});

export const listReplays = (id: string): ApiRequest<Page<ReplayRecord>> => ({
  method: 'GET',
  path: `${path}/${id}/replays`,
});

export const cancelReplay = (id: string, replayId: string): ApiRequest<ReplayRecord> => ({
  method: 'POST',
  path: `${path}/${id}/replays/${replayId}/cancel`,
});

export const cancelDeliveries = (id: string): ApiRequest<{ cancelled: number }> => ({
  method: 'POST',
  path: `${path}/${id}/deliveries/cancel`,
  body: {},
});
