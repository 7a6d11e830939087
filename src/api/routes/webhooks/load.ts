import type { Tx } from '../../../db/transaction.ts';
import { findEndpoint, lockToChange } from '../../../webhooks/endpoints/read.ts';
import type { LoadCall } from '../../frame/route.ts';

export const tag = 'Webhooks';

export type Loading<Params> = Pick<LoadCall<string, never>, 'origin'> & { tx: Tx; params: Params };

/** The webhook of a path. */
export const load = (call: Loading<{ id: string }>) =>
  findEndpoint(call.tx, call.origin.projectId, call.params.id);

/**
 * The same, locked: changes are serialised, and each one sees the result of the previous one and
 * checks its If-Match against it.
 */
export const loadToChange = (call: Loading<{ id: string }>) =>
  lockToChange(call.tx, call.origin.projectId, call.params.id);
