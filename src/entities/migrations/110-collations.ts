import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type Columns, collate, isPending, type Twin, validate } from './collate.ts';
import { indexPartitions } from './index-partitions.ts';
import { patiently } from './patience.ts';

/**
 * What programs compare and no one sorts by language: keys, types, states, codes, addresses. Text that
 * is absent here is written for people, or listed with a reason in `test/db/collations.test.ts`.
 */
const alone: Columns = {
  api_key: ['prefix', 'scopes', 'allowed_cidrs'],
  certificate_key: ['id', 'public_key', 'private_key'],
  channel: ['name', 'purpose'],
  collection: ['kind', 'state'],
  consumer: ['category', 'event_types', 'resource_type', 'resource_id'],
  denial: ['code'],
  due_delivery: ['trigger', 'resume_state'],
  finding: ['type', 'source', 'decision'],
  idempotency: ['route', 'value'],
  image_count: ['facet'],
  image_count_delta: ['facet'],
  inherited_fact: ['collection_ids', 'labels', 'unreviewed'],
  invitation: ['role'],
  job: ['state', 'pages', 'retry_scope'],
  job_operation: ['op', 'state'],
  job_output: ['kind'],
  job_page: ['state'],
  member: ['role', 'source'],
  object_count: ['facet'],
  object_count_delta: ['facet'],
  object_download: ['address', 'request_id'],
  object_hold: ['rule_type'],
  object_text: ['free_of'],
  object_variant: ['variant'],
  pack: ['state'],
  pack_document: ['state', 'mime'],
  person: ['issuer', 'subject'],
  policy: ['mode', 'actions', 'scope_type', 'sticky_rules'],
  portal_session: ['address'],
  project_quota: ['resource'],
  queue_pause: ['queue'],
  redaction_fact: ['entities'],
  rendition: ['name', 'mime'],
  replay: ['selection', 'state', 'reason', 'types', 'event_types'],
  review: ['op', 'state', 'reviewers', 'label', 'text_digest'],
  review_count: ['type', 'source', 'decision'],
  sequence_counter: ['category'],
  share: ['kind', 'accept', 'password_hash'],
  task: ['queue', 'kind', 'state', 'request_id', 'trace_parent'],
  upload: ['state', 'declared_mime', 'mime', 'given', 'on_duplicate'],
  usage_count: ['resource'],
  usage_delta: ['resource'],
  webhook_endpoint: ['url', 'state', 'disabled_reason', 'payload', 'event_types', 'signing'],
  worker: ['queue'],
};
/** The largest of their indexes. */
const twins: Twin[] = [
  {
    table: 'idempotency',
    name: 'idempotency_pkey',
    on: '(project_id, key_id, route COLLATE "C", value COLLATE "C")',
    isKey: true,
  },
  { table: 'job', name: 'job_by_state', on: '(project_id, state COLLATE "C", id)' },
  {
    table: 'job_output',
    name: 'job_output_pkey',
    on: '(project_id, job_id, operation_index, kind COLLATE "C", object_id)',
    isKey: true,
  },
  { table: 'job_output', name: 'job_output_kind', on: '(project_id, kind COLLATE "C", object_id)' },
  { table: 'object', name: 'object_by_mime', on: '(project_id, mime COLLATE "C", id)' },
  {
    table: 'object',
    name: 'object_source',
    on: '(project_id, source_kind COLLATE "C", created_at, id)',
  },
];
const twinsOf = (tables: Columns): Twin[] => twins.filter(({ table }) => table in tables);

/** `image_source` shows both. */
const images: Columns = {
  object: ['state', 'mime', 'source_kind', 'traits'],
  image: ['orientation', 'dominant_color', 'palette', 'blurhash'],
};
const imageIndex: Columns = { image_index: ['mime', 'orientation'] };
const events: Columns = {
  event: [
    ...['category', 'type', 'resource_type', 'actor_type', 'actor_id'],
    ...['address', 'request_id', 'trace_parent'],
  ],
};
/** `attempt_record` shows both. */
const deliveries: Columns = {
  delivery: ['event_type', 'reason', 'failed_as', 'first_trigger'],
  attempt: ['trigger', 'outcome'],
};

/** What the feed is read by while the indexes with `category` are built. */
const interim = {
  name: 'event_interim',
  table: 'event',
  on: '(project_id, sequence) WHERE sequence IS NOT NULL',
};
const eventIndexes = [
  {
    name: 'event_feed',
    table: 'event',
    on: '(project_id, category, sequence) WHERE sequence IS NOT NULL',
  },
  {
    name: 'event_type',
    table: 'event',
    on: '(project_id, category, type, sequence) WHERE sequence IS NOT NULL',
  },
];
/**
 * Limited to rows with a project, as all are: only a statement that names the project can use these.
 * Settling finds rows by their event; with statistics of a young week the planner would take the other
 * columns of these for as selective, and walk a whole week for each row.
 */
const ofProject = 'WHERE project_id IS NOT NULL';
/** Takes the place of `delivery_of_endpoint`. */
const byEndpoint = {
  name: 'delivery_by_endpoint',
  table: 'delivery',
  on: `(project_id, endpoint_id, id) ${ofProject}`,
};
const deliveryIndexes = [
  { name: 'delivery_type', table: 'delivery', on: `(endpoint_id, event_type, id) ${ofProject}` },
  {
    name: 'delivery_failed',
    table: 'delivery',
    on: '(project_id, endpoint_id, failed_as, id) WHERE failed_as IS NOT NULL',
  },
  {
    name: 'delivery_failed_of_replay',
    table: 'delivery',
    on: '(replay_id, failed_as) WHERE replay_id IS NOT NULL AND failed_as IS NOT NULL',
  },
  {
    name: 'delivery_ended_failed',
    table: 'delivery',
    on: `(endpoint_id, id) WHERE failed_as IS NOT NULL OR reason = 'replayed'`,
  },
  {
    name: 'attempt_failed_by_hand',
    table: 'attempt',
    on: `(project_id) WHERE trigger = 'manual' AND outcome <> 'succeeded'`,
  },
];

/**
 * Keys, types, states and all other text that programs compare has one collation. A function in
 * PL/pgSQL takes the collation of its arguments for all of its parameters, and an index serves
 * comparisons under its own collation only: with identifiers in "C" and routes in that of the database,
 * functions found by neither.
 *
 * No table is written again. Postgres builds the indexes of a changed column again under a lock: those
 * that may be large are built beside the traffic, before or after. A run that breaks off continues where
 * it was.
 */
export class Collations1000000000110 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(alone)) {
      await collate(runner, { [table]: columns }, twinsOf({ [table]: columns }));
    }
    await collate(runner, images, twinsOf(images), ['DROP VIEW image_source', imageSource]);
    await collate(runner, imageIndex, [], ['DROP VIEW image_search', imageSearch]);

    if (await isPending(runner, events)) {
      await indexPartitions(runner, interim);
      await collate(runner, events, [], [dropped(eventIndexes), '']);
    }
    for (const index of eventIndexes) await indexPartitions(runner, index);
    await runner.query(patiently('event', `DROP INDEX IF EXISTS ${interim.name}`));

    await indexPartitions(runner, byEndpoint);
    await runner.query(patiently('delivery', 'DROP INDEX IF EXISTS delivery_of_endpoint'));
    const unused = `${dropped(deliveryIndexes)}; DROP VIEW attempt_record`;
    await collate(runner, deliveries, [], [unused, attemptRecord]);
    for (const index of deliveryIndexes) await indexPartitions(runner, index);
    await validate(runner);
  }

  /** The release before does the same with these. */
  async down(): Promise<void> {}
}

const dropped = (indexes: { name: string }[]): string =>
  `DROP INDEX IF EXISTS ${indexes.map(({ name }) => name).join(', ')}`;

const imageSource = `
  CREATE VIEW image_source WITH (security_invoker = true) AS
    SELECT i.project_id, i.id AS image_id, i.object_id, o.state, o.mime, i.orientation, i.width,
      i.height, i.rating, o.bytes, i.created_at,
      greatest(i.updated_at, o.updated_at) AS updated_at, i.captured_at, o.filename, o.tags,
      image_document(i.title, o.tags, i.description, i.alt_text, o.filename) AS document
    FROM image i JOIN object o ON o.project_id = i.project_id AND o.id = i.object_id;
  GRANT SELECT ON image_source TO api, worker`;

const imageSearch = `
  CREATE VIEW image_search AS
    SELECT project_id, image_id, state, trashed, mime, orientation, width, height, rating, bytes,
      created_at, updated_at, captured_at, filename, tags, untagged, document
    FROM image_index WHERE project_id = current_setting('app.project_id', true);
  GRANT SELECT ON image_search TO api, worker;
  GRANT CREATE ON SCHEMA public TO searcher;
  ALTER VIEW image_search OWNER TO searcher;
  REVOKE CREATE ON SCHEMA public FROM searcher`;

const attemptRecord = `
  CREATE VIEW attempt_record WITH (security_invoker = true) AS
    SELECT event_id, id AS delivery_id, 1 AS number, project_id, first_trigger AS trigger,
      CASE WHEN first_succeeded THEN 'succeeded' ELSE 'failed' END AS outcome, first_at AS at,
      first_status AS status, first_total_ms AS duration_ms,
      CASE WHEN first_total_ms IS NOT NULL THEN jsonb_build_object('dns', first_dns_ms,
        'connect', first_connect_ms, 'tls', first_tls_ms, 'first_byte', first_byte_ms,
        'total', first_total_ms) END AS timings,
      first_error AS error, first_excerpt AS response_excerpt, first_next_at AS next_attempt_at
    FROM delivery WHERE first_at IS NOT NULL
    UNION ALL
    SELECT event_id, delivery_id, number, project_id, trigger, outcome, at, status, duration_ms,
      timings, error, response_excerpt, next_attempt_at
    FROM attempt;
  GRANT SELECT ON attempt_record TO api, worker`;
