import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';

/** The title of a webhook: its description, or its URL without one. */
export const webhookTitle = ({
  description,
  url,
}: Pick<WebhookRecord, 'description' | 'url'>): string => description?.trim() || url;
