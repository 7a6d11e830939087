import type { Tx } from '../../../db/transaction.ts';
import { findEndpoint, lockToChange } from '../../../webhooks/endpoints/read.ts';
import type { LoadCall } from '../../frame/route.ts';

export const tag = 'Webhooks';

export type WebhookLoadCall<Params> = Pick<LoadCall<string, never>, 'origin'> & {
  tx: Tx;
  params: Params;
};

/** The webhook of a path. */
export const loadWebhook = (call: WebhookLoadCall<{ id: string }>) =>
  findEndpoint(call.tx, call.origin.projectId, call.params.id);

/**
 * The same, locked. Changes are serialised: each sees the result of the previous change, and checks
 * If-Match against it.
 */
export const lockWebhookToChange = (call: WebhookLoadCall<{ id: string }>) =>
  lockToChange(call.tx, call.origin.projectId, call.params.id);
