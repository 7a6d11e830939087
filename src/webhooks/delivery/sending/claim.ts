import type { Database } from '../../../db/database.ts';
import { planByIndex, shortLockTimeoutSql } from '../../../db/statements/rows.ts';
import { inOnePacket, prepared, type Tx } from '../../../db/transaction.ts';
import type { SealedHeaders, SealedSecret } from '../../../entities/webhooks/webhook-endpoint.ts';
import { isPausedSql } from '../../../outbox/pause.ts';
import { liveSecrets } from '../../message.ts';
import type { LeasedMessage } from '../../relay/deliver-numbered.ts';
import type { LeasedEndpoint } from '../../relay/lease-ahead-queries.ts';
import { cancelOrphans, type EndpointKey, skipDeliveries } from '../ending/end-deliveries.ts';
import {
  currentTokensSql,
  failingLongSql,
  leaseEndSql,
  windowCapacitySql,
} from '../flow-limits.ts';

/** The destination of deliveries, as of the claim. */
export interface ClaimedEndpoint {
  id: string;
  projectId: string;
  url: string;
  headers: SealedHeaders;
  payload: 'full' | 'thin';
  /** Sealed secrets that have not expired, the newest first. */
  secrets: string[];
  /** Whether it has failed for so long that one more failure disables it. */
  failingLong: boolean;
}

export interface ClaimedDelivery {
  id: string;
  eventId: string;
  endpoint: ClaimedEndpoint;
  replayId: string | null;
  epoch: number;
  /** The number of this attempt, from 1. */
  attempt: number;
  failures: number;
  /** `probe`: tests whether an endpoint responds again; its failure uses no step. */
  trigger: 'schedule' | 'manual' | 'probe';
  begunAt: Date;
  /** Set for a manual attempt: the state to return to if it fails. */
  resumeState: 'pending' | 'succeeded' | 'exhausted' | 'skipped' | 'cancelled' | null;
  body: string;
  /** The age of its event. */
  lagSeconds: number;
  eventType: string;
  resourceType: string;
  resourceId: string;
  requestId: string | null;
  traceParent: string | null;
}

interface EndpointRow extends Omit<ClaimedEndpoint, 'secrets'> {
  secrets: SealedSecret[];
  state: 'enabled' | 'paused' | 'disabled';
  now: Date;
}

interface ClaimedRow extends Omit<ClaimedDelivery, 'endpoint'> {
  endpointId: string;
  ordinal: number;
  /** How many deliveries of its endpoint the claim could have taken. */
  allowed: number;
}

/**
 * How many attempts of each endpoint may begin now, according to its window and its token bucket
 * (at most one second's tokens). Claims of an endpoint are serialised, so both limits hold for any
 * number of workers.
 */
const claimStatement = `
  WITH open AS (
    SELECT f.endpoint_id, f.project_id, e.max_per_second, f.hold_seconds IS NOT NULL AS broken,
      coalesce(f.held_until > statement_timestamp(), false) AS held,
      ${windowCapacitySql({ ids: '$3', epochs: '$4' })} AS free,
      ${currentTokensSql} AS tokens
    FROM webhook_flow f JOIN webhook_endpoint e ON e.id = f.endpoint_id AND e.state = 'enabled'
    WHERE f.endpoint_id = ANY($1) AND NOT ${isPausedSql("'webhooks'")}
  ), picked AS (
    SELECT d.id FROM open, LATERAL (
      SELECT d.id FROM unnest(CASE WHEN open.held THEN '{0,1}' ELSE '{0,1,2,3}' END::smallint[])
        AS lane (n), LATERAL (
        SELECT id, due_at, ordinal FROM due_delivery
        WHERE project_id = open.project_id AND endpoint_id = open.endpoint_id AND lane = lane.n
          AND lease_until IS NULL AND due_at <= statement_timestamp()
        ORDER BY due_at, ordinal LIMIT $2) d
      ORDER BY lane.n, d.due_at, d.ordinal
      LIMIT greatest(0, least($2, open.free, floor(coalesce(open.tokens, $2))))) d
  ), taken AS (
    UPDATE due_delivery d SET lease_epoch = d.lease_epoch + 1, attempts = d.attempts + 1,
      lease_until = ${leaseEndSql}, begun_at = statement_timestamp(),
      trigger = CASE WHEN d.resume_state IS NOT NULL THEN 'manual'
        WHEN d.failures = 0 AND d.endpoint_id = ANY(ARRAY(SELECT endpoint_id FROM open WHERE broken))
          THEN 'probe' ELSE 'schedule' END
    WHERE d.id = ANY(ARRAY(SELECT id FROM picked)) AND d.begun_at IS NULL
    RETURNING d.*
  ), counted AS (
    SELECT endpoint_id, count(*) AS n FROM taken GROUP BY endpoint_id
  ), served AS (
    UPDATE webhook_flow f SET handed_at = NULL,
      tokens = coalesce(open.tokens - coalesce(counted.n, 0), f.tokens),
      refilled_at = CASE WHEN open.tokens IS NULL THEN f.refilled_at ELSE statement_timestamp() END
    FROM unnest($1::text[]) AS given (id)
    LEFT JOIN open ON open.endpoint_id = given.id LEFT JOIN counted ON counted.endpoint_id = given.id
    WHERE f.endpoint_id = given.id AND f.endpoint_id = ANY($1)
      AND (f.handed_at IS NOT NULL OR open.tokens IS NOT NULL)
  )
  SELECT t.id, t.event_id AS "eventId", t.endpoint_id AS "endpointId", t.replay_id AS "replayId",
    t.lease_epoch AS epoch, t.attempts AS attempt, t.failures, t.trigger, t.begun_at AS "begunAt",
    t.resume_state AS "resumeState", t.ordinal, event.body, event.type AS "eventType",
    event.resource_type AS "resourceType", event.resource_id AS "resourceId",
    event.request_id AS "requestId", event.trace_parent AS "traceParent",
    extract(epoch FROM clock_timestamp() - event.occurred_at)::float8 AS "lagSeconds",
    greatest(0, least($2, open.free, floor(coalesce(open.tokens, $2))))::integer AS allowed
  FROM taken t JOIN event ON event.id = t.event_id JOIN open ON open.endpoint_id = t.endpoint_id`;

/**
 * The claimed deliveries, and the endpoints that are removed or disabled, whose due deliveries are
 * to be ended.
 */
interface Claim {
  claimed: ClaimedDelivery[];
  /** Endpoints without further due deliveries: they had fewer than the claim could take. */
  drained: Set<string>;
  ended: { id: string; disabled: EndpointKey | null }[];
}

/**
 * Claims due deliveries of endpoints that were handed over, up to a maximum for each. The attempt
 * is recorded in its row before anything is sent. Deliveries to a removed endpoint are cancelled,
 * those to a paused one wait, and those to a disabled one are skipped, a batch at a time.
 * @param unstored successful deliveries that are not stored yet: they do not count, unless the circuit
 *   is open, because only storing them can close it
 * @returns the claimed deliveries, in the order of their events
 */
export async function claimDeliveries(
  tx: Tx,
  endpointIds: readonly string[],
  limit: number,
  unstored: readonly Pick<ClaimedDelivery, 'id' | 'epoch'>[] = [],
): Promise<ClaimedDelivery[]> {
  const { claimed, ended } = await sendClaim(tx, endpointIds, limit, unstored);
  for (const { id, disabled } of ended) {
    if (disabled) await skipDeliveries(tx, disabled);
    else await cancelOrphans(tx, id);
  }
  return claimed;
}

/**
 * Like `claimDeliveries`, in a transaction of one packet: claims, settling, numbering and requests
 * lock the same few rows in turn, and none of them should wait for a busy process.
 * @returns also the endpoints with nothing left, and those that are removed or disabled; another
 *   claim, of no deliveries, ends their due ones
 */
export async function claimInOnePacket(
  database: Database,
  ...claimArgs: [
    endpointIds: readonly string[],
    limit: number,
    succeeded: readonly Pick<ClaimedDelivery, 'id' | 'epoch'>[],
  ]
): Promise<Omit<Claim, 'ended'> & { ended: string[] }> {
  const { ended, ...result } = await inOnePacket(database, (tx) => sendClaim(tx, ...claimArgs));
  return { ...result, ended: ended.map(({ id }) => id) };
}

/** Sends all statements of a claim at once. */
async function sendClaim(
  tx: Tx,
  endpointIds: readonly string[],
  limit: number,
  unstored: readonly Pick<ClaimedDelivery, 'id' | 'epoch'>[],
): Promise<Claim> {
  planByIndex(tx, 'loop', shortLockTimeoutSql);
  // A separate statement takes the locks, so that the next one sees everything committed before they
  // were granted.
  const endpointRows = prepared<EndpointRow>(
    tx,
    `SELECT e.id, e.project_id AS "projectId", e.url, e.headers, e.payload, e.secrets, e.state, now(),
       ${failingLongSql} AS "failingLong"
     FROM webhook_flow f JOIN webhook_endpoint e ON e.id = f.endpoint_id
     WHERE f.endpoint_id = ANY($1) ORDER BY f.endpoint_id FOR NO KEY UPDATE OF f`,
    [endpointIds],
  );
  const claimedRows = prepared<ClaimedRow>(tx, claimStatement, [
    endpointIds,
    limit,
    unstored.map(({ id }) => id),
    unstored.map(({ epoch }) => epoch),
  ]);
  const [endpoints, rows] = await Promise.all([endpointRows, claimedRows]);
  const known = new Map(endpoints.map((row) => [row.id, row]));
  const ended = endpointIds.flatMap((id): Claim['ended'] => {
    const endpoint = known.get(id);
    if (!endpoint) return [{ id, disabled: null }];
    return endpoint.state === 'disabled' ? [{ id, disabled: endpoint }] : [];
  });
  const claimedEndpoints = new Map(endpoints.map((row) => [row.id, toClaimedEndpoint(row)]));
  rows.sort((a, b) => a.ordinal - b.ordinal);
  const claimed = rows.map(({ endpointId, ordinal: _, allowed: __, ...row }) => ({
    ...row,
    endpoint: claimedEndpoints.get(endpointId)!,
  }));
  return { claimed, drained: drainedOf(rows), ended };
}

function drainedOf(rows: readonly ClaimedRow[]): Set<string> {
  const remaining = new Map<string, number>();
  for (const { endpointId, allowed } of rows) {
    remaining.set(endpointId, (remaining.get(endpointId) ?? allowed) - 1);
  }
  return new Set([...remaining].flatMap(([id, more]) => (more > 0 ? id : [])));
}

/**
 * The deliveries that numbering has leased to this process, in the order of their events. Each is a
 * first attempt.
 */
export function toClaimedDeliveries(leased: readonly LeasedMessage[]): ClaimedDelivery[] {
  const claimedEndpoints = new Map<LeasedEndpoint, ClaimedEndpoint>();
  return leased.map(({ delivery: { id, begunAt, endpoint }, event, body }) => {
    const known = claimedEndpoints.get(endpoint) ?? withLiveSecrets(endpoint, begunAt);
    claimedEndpoints.set(endpoint, known);
    return {
      id,
      eventId: event.id,
      endpoint: known,
      replayId: null,
      epoch: 1,
      attempt: 1,
      failures: 0,
      trigger: 'schedule',
      begunAt,
      resumeState: null,
      body,
      lagSeconds: event.age_seconds,
      eventType: event.type,
      resourceType: event.resource_type,
      resourceId: event.resource_id,
      requestId: event.request_id,
      traceParent: event.trace_parent,
    };
  });
}

function toClaimedEndpoint({ state: _, now, ...endpoint }: EndpointRow): ClaimedEndpoint {
  return withLiveSecrets(endpoint, now);
}

function withLiveSecrets({ secrets, ...endpoint }: LeasedEndpoint, now: Date): ClaimedEndpoint {
  const validSecrets = liveSecrets(secrets, now.getTime());
  return { ...endpoint, secrets: validSecrets.map(({ cipher }) => cipher) };
}
