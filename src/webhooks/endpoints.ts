import { eventTypeNames } from '../contracts/events.ts';
import { newId } from '../contracts/ids.ts';
import { limits } from '../contracts/limits.ts';
import type { Origin } from '../contracts/origin.ts';
import { patternFault } from '../contracts/patterns.ts';
import { type Fault, invalid, Problem } from '../contracts/problems.ts';
import type { WebhookCreate, WebhookPatch, WebhookRecord } from '../contracts/wire/webhooks.ts';
import { prepared, type Tx } from '../db/transaction.ts';
import { WebhookEndpoint } from '../entities/webhook-endpoint.ts';
import { record } from '../outbox/record.ts';
import { cancelDeliveries } from './claim.ts';
import { DestinationError, type Dialer, validateHeaders } from './dial.ts';
import { disableEndpoint } from './settle.ts';
import { newSecret, parseSecret, SigningError } from './sign.ts';

/** What endpoints are made with. */
interface EndpointDeps {
  dialer: Pick<Dialer, 'check'>;
  seal: { seal(text: string): string };
}

const defaultInFlight = 20;

/**
 * Adds an endpoint, with a secret of its own making or the one brought along.
 * @returns it and its secret, which is never shown again
 * @throws Problem 422 with every fault of the body, 409 when the project has as many as it may have
 */
export async function createEndpoint(
  tx: Tx,
  deps: EndpointDeps,
  origin: Origin,
  given: WebhookCreate,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const headers = given.headers ?? {};
  const secret = given.secret ?? newSecret();
  const faults = [
    ...typeFaults(given.event_types),
    ...headerFaults(headers),
    ...(given.secret === undefined ? [] : secretFaults(given.secret)),
  ];
  await checkUrl(deps.dialer, given.url, faults);
  await makeRoom(tx, origin.projectId);
  const id = newId('webhook');
  await prepared(
    tx,
    `INSERT INTO webhook_endpoint
       (project_id, id, url, event_types, description, state, headers, payload, secrets, max_in_flight)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      origin.projectId,
      id,
      given.url,
      given.event_types,
      given.description ?? null,
      given.state ?? 'enabled',
      JSON.stringify(headers),
      given.payload ?? 'full',
      JSON.stringify([{ cipher: deps.seal.seal(secret), expires_at: null }]),
      given.max_in_flight ?? defaultInFlight,
    ],
  );
  const endpoint = await reread(tx, origin.projectId, id);
  await record(tx, origin, {
    type: 'webhooks.endpoint.created',
    resourceId: id,
    data: { event_types: endpoint.eventTypes, state: endpoint.state },
  });
  return { endpoint, secret };
}

/** An endpoint of the project, or null. */
export function findEndpoint(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<WebhookEndpoint | null> {
  return tx.findOneBy(WebhookEndpoint, { projectId, id });
}

/** The project's endpoints, the newest first, from before an identifier on. */
export async function listEndpoints(
  tx: Tx,
  projectId: string,
  page: { before: string | null; limit: number },
): Promise<WebhookEndpoint[]> {
  const found = tx
    .createQueryBuilder(WebhookEndpoint, 'endpoint')
    .where('endpoint.project_id = :projectId', { projectId })
    .orderBy('endpoint.id', 'DESC')
    .limit(page.limit);
  if (page.before !== null) found.andWhere('endpoint.id < :before', { before: page.before });
  return found.getMany();
}

/** How many endpoints the project has. */
export function countEndpoints(tx: Tx, projectId: string): Promise<number> {
  return tx.countBy(WebhookEndpoint, { projectId });
}

/**
 * Changes fields of an endpoint; deliveries that wait go to the new address. A patch that changes
 * nothing records nothing.
 * @throws Problem 422 with every fault of the body
 */
export async function updateEndpoint(
  tx: Tx,
  deps: EndpointDeps,
  origin: Origin,
  endpoint: WebhookEndpoint,
  patch: WebhookPatch,
): Promise<WebhookEndpoint> {
  const headers = mergeHeaders(endpoint.headers, patch.headers);
  const wanted = {
    url: patch.url ?? endpoint.url,
    event_types: patch.event_types ?? endpoint.eventTypes,
    description: patch.description === undefined ? endpoint.description : patch.description,
    headers,
    payload: patch.payload ?? endpoint.payload,
    max_in_flight: patch.max_in_flight ?? endpoint.maxInFlight,
  };
  const present = {
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    headers: endpoint.headers,
    payload: endpoint.payload,
    max_in_flight: endpoint.maxInFlight,
  };
  const changed = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (name) => JSON.stringify(wanted[name]) !== JSON.stringify(present[name]),
  );
  const faults = [
    ...(changed.includes('event_types') ? typeFaults(wanted.event_types) : []),
    ...(changed.includes('headers') ? headerFaults(headers) : []),
  ];
  if (changed.includes('url')) await checkUrl(deps.dialer, wanted.url, faults);
  else if (faults.length > 0) throw invalid(faults);
  if (changed.length === 0) return endpoint;
  await changeRow(
    tx,
    endpoint,
    `UPDATE webhook_endpoint SET url = $4, event_types = $5, description = $6, headers = $7, payload = $8,
       max_in_flight = $9, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 AND version = $3 RETURNING id`,
    [
      wanted.url,
      wanted.event_types,
      wanted.description,
      JSON.stringify(headers),
      wanted.payload,
      wanted.max_in_flight,
    ],
  );
  await record(tx, origin, {
    type: 'webhooks.endpoint.updated',
    resourceId: endpoint.id,
    data: { changed },
  });
  return reread(tx, endpoint.projectId, endpoint.id);
}

/** Removes an endpoint. What it was owed is cancelled and no longer counts. */
export async function deleteEndpoint(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
): Promise<void> {
  await changeRow(
    tx,
    endpoint,
    'DELETE FROM webhook_endpoint WHERE project_id = $1 AND id = $2 AND version = $3 RETURNING id',
    [],
  );
  await cancelDeliveries(tx, endpoint.id);
  await record(tx, origin, {
    type: 'webhooks.endpoint.deleted',
    resourceId: endpoint.id,
    data: {},
  });
}

/**
 * Pauses an endpoint: what it is owed is kept and sent later.
 * @throws Problem 409 when it is disabled
 */
export async function pauseEndpoint(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
): Promise<WebhookEndpoint> {
  if (endpoint.state === 'paused') return endpoint;
  if (endpoint.state === 'disabled') {
    throw new Problem('state_conflict', 'The webhook is disabled; enable it before pausing it.');
  }
  return changeState(tx, origin, endpoint, 'paused');
}

/** Enables an endpoint: what waited is sent now; what was skipped is not. */
export async function enableEndpoint(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
): Promise<WebhookEndpoint> {
  return endpoint.state === 'enabled' ? endpoint : changeState(tx, origin, endpoint, 'enabled');
}

/** Disables an endpoint: what it is owed, now and from now on, is skipped. */
export async function turnOffEndpoint(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
): Promise<WebhookEndpoint> {
  if (endpoint.state === 'disabled') return endpoint;
  await disableEndpoint(tx, origin, endpoint.id, 'requested');
  return reread(tx, endpoint.projectId, endpoint.id);
}

/** An endpoint as the API shows it: never with its secret. */
export function presentEndpoint(endpoint: WebhookEndpoint): WebhookRecord {
  return {
    id: endpoint.id,
    project_id: endpoint.projectId,
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    state: endpoint.state,
    disabled_reason: endpoint.disabledReason,
    headers: endpoint.headers,
    payload: endpoint.payload,
    max_in_flight: endpoint.maxInFlight,
    health: {
      state: endpoint.failingSince ? 'failing' : 'healthy',
      since: endpoint.failingSince?.toISOString() ?? null,
    },
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
    version: endpoint.version,
  };
}

async function changeState(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
  state: 'enabled' | 'paused',
): Promise<WebhookEndpoint> {
  await changeRow(
    tx,
    endpoint,
    // Failures before a pause or a repair say nothing about what comes after it.
    `UPDATE webhook_endpoint SET state = $4, disabled_reason = NULL, failing_since = NULL,
       updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 AND version = $3 RETURNING id`,
    [state],
  );
  await record(tx, origin, {
    type: `webhooks.endpoint.${state}`,
    resourceId: endpoint.id,
    data: {},
  });
  return reread(tx, endpoint.projectId, endpoint.id);
}

/**
 * Changes the row that was read; the version guards against whoever changed it since.
 * @throws Problem 412
 */
async function changeRow(
  tx: Tx,
  endpoint: WebhookEndpoint,
  statement: string,
  values: unknown[],
): Promise<void> {
  const rows = await prepared<{ id: string }>(tx, statement, [
    endpoint.projectId,
    endpoint.id,
    endpoint.version,
    ...values,
  ]);
  if (rows.length === 0) {
    throw new Problem('etag_mismatch', 'The webhook has changed meanwhile; read it again.');
  }
}

async function reread(tx: Tx, projectId: string, id: string): Promise<WebhookEndpoint> {
  return tx.findOneByOrFail(WebhookEndpoint, { projectId, id });
}

/** One at a time per project, so that two requests do not both take the last place. */
async function makeRoom(tx: Tx, projectId: string): Promise<void> {
  await prepared(tx, `SELECT pg_advisory_xact_lock(hashtextextended('webhooks ' || $1, 0))`, [
    projectId,
  ]);
  if ((await countEndpoints(tx, projectId)) < limits.webhooks_per_project) return;
  throw new Problem(
    'state_conflict',
    `The project has ${limits.webhooks_per_project} webhooks, which is as many as there may be; delete one first.`,
    { extra: { limit: limits.webhooks_per_project } },
  );
}

function mergeHeaders(
  present: Record<string, string>,
  patch: Record<string, string | null> | null | undefined,
): Record<string, string> {
  if (patch === undefined) return present;
  if (patch === null) return {};
  const merged: Record<string, string | null> = { ...present, ...patch };
  return Object.fromEntries(
    Object.entries(merged).filter((header): header is [string, string] => header[1] !== null),
  );
}

function typeFaults(patterns: readonly string[]): Fault[] {
  return patterns.flatMap((pattern, at) => {
    const detail = patternFault(pattern);
    return detail === null
      ? []
      : [
          {
            pointer: `/event_types/${at}`,
            code: 'unknown_event_type',
            detail,
            allowed: eventTypeNames,
          },
        ];
  });
}

function headerFaults(headers: Record<string, string>): Fault[] {
  return validateHeaders(headers).map(({ header, code, message }) => ({
    pointer: `/headers${header === '' ? '' : `/${header.replaceAll('~', '~0').replaceAll('/', '~1')}`}`,
    code,
    detail: message,
  }));
}

function secretFaults(secret: string): Fault[] {
  try {
    if (parseSecret(secret).kind === 'hmac') return [];
    return [
      {
        pointer: '/secret',
        code: 'secret_prefix_unknown',
        detail: 'The secret must start with whsec_.',
      },
    ];
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return [{ pointer: '/secret', code: error.code, detail: error.message }];
  }
}

/** Asks the dialer about a URL, and throws all faults of the body together. */
async function checkUrl(
  dialer: Pick<Dialer, 'check'>,
  url: string,
  faults: Fault[],
): Promise<void> {
  let refused: DestinationError | undefined;
  try {
    await dialer.check(url);
  } catch (error) {
    if (!(error instanceof DestinationError)) throw error;
    refused = error;
    faults.push({ pointer: '/url', code: error.code, detail: error.message });
  }
  if (faults.length === 0) return;
  // Alone, a forbidden destination has a code of its own: there is one thing to do about it.
  if (faults.length === 1 && refused?.code === 'destination_not_allowed') {
    throw new Problem('destination_not_allowed', refused.message, { errors: faults });
  }
  throw invalid(faults);
}
