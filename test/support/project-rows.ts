/**
 * Inserts a row of a project into each table that belongs to projects, in this order.
 * `test/db/walls.test.ts` fails if a table is missing here.
 */
export const projectRows: Record<string, string> = {
  api_key: `INSERT INTO api_key (id, project_id, name, prefix, key_hash, scopes, created_by)
    VALUES ('key_' || $1, $1, 'k', 'sk_x', sha256($1::bytea), '{}', '{}')`,
  project_deletion: `INSERT INTO project_deletion (id, project_id, requested_by) VALUES ('del_' || $1, $1, '{}')`,
  idempotency: `INSERT INTO idempotency (project_id, key_id, route, value, fingerprint, status, headers, body)
    VALUES ($1, 'k', 'r', 'v', '', 200, '{}', '')`,
  project_quota: `INSERT INTO project_quota (project_id, resource, most) VALUES ($1, 'objects', 7)`,
  usage_count: `INSERT INTO usage_count (project_id, resource, used) VALUES ($1, 'objects', 7)`,
  usage_delta: `INSERT INTO usage_delta (project_id, resource, delta) VALUES ($1, 'objects', 1)`,
  usage_day: `INSERT INTO usage_day (project_id, day, storage_bytes, succeeded, failed)
    VALUES ($1, '2026-01-01', 1, 1, 1)`,
  portal_session: `INSERT INTO portal_session (project_id, key_id, id, expires_at) VALUES ($1, 'k', 's', now())`,
  member: `WITH one AS (INSERT INTO person (id, issuer, subject) VALUES ('usr_' || $1, 'i', $1) RETURNING id)
    INSERT INTO member (project_id, id, user_id, role, source) SELECT $1, 'mem', id, 'viewer', 'added' FROM one`,
  invitation: `INSERT INTO invitation (project_id, id, role, created_by, expires_at)
    VALUES ($1, 'inv', 'viewer', '{}', now())`,
  denial: `INSERT INTO denial (project_id, key_id, code, minute) VALUES ($1, 'k', 'c', now())`,
  object: `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
    VALUES ('obj', $1, 'available', 'f', 'm', 1, 's', 'upload')`,
  // Created by the trigger of the object.
  object_index: `UPDATE object_index SET has_positions = true WHERE project_id = $1`,
  object_text: `INSERT INTO object_text (project_id, object_id, page, redacted, vector, worth, job_id)
    VALUES ($1, 'obj', 1, false, '', 0, 'job')`,
  passage: `INSERT INTO passage (project_id, object_id, redacted, page, position, last_page, job_id, text, vector)
    VALUES ($1, 'obj', false, 2, 0, 2, 'job', 't', '')`,
  project_embedding: `INSERT INTO project_embedding (project_id, texts) VALUES ($1, 'all')`,
  passage_embedding: `INSERT INTO passage_embedding (project_id, object_id, redacted, page, position)
    VALUES ($1, 'obj', false, 2, 0)`,
  image: `INSERT INTO image (id, project_id, object_id) VALUES ('img', $1, 'obj')`,
  // Created with the image by triggers, as are the changes of the counts.
  image_index: 'SELECT FROM image_index WHERE project_id = $1',
  image_count_delta: 'SELECT FROM image_count_delta WHERE project_id = $1',
  object_count_delta: 'SELECT FROM object_count_delta WHERE project_id = $1',
  object_count: `INSERT INTO object_count (project_id, facet, value, count) VALUES ($1, 'tag', 't', 1)`,
  image_count: `INSERT INTO image_count (project_id, facet, value, count) VALUES ($1, 'tag', 't', 1)`,
  image_word: `INSERT INTO image_word (project_id, word) VALUES ($1, 'word')`,
  image_place: `INSERT INTO image_place (project_id, image_id, object_id, latitude, longitude)
    VALUES ($1, 'img', 'obj', 1, 1)`,
  rendition: `INSERT INTO rendition (project_id, image_id, name, mime, sha256, bytes, width, height)
    VALUES ($1, 'img', 'thumb', 'image/webp', 's', 1, 1, 1)`,
  object_variant: `INSERT INTO object_variant (project_id, object_id, variant) VALUES ($1, 'obj', 'v')`,
  collection: `INSERT INTO collection (id, project_id, name, kind) VALUES ('col', $1, 'c', 'manual')`,
  collection_member: `INSERT INTO collection_member (project_id, collection_id, resource_type, resource_id, position)
    VALUES ($1, 'col', 'object', 'obj', 'a0')`,
  object_download: `INSERT INTO object_download (project_id, object_id, delivered_object_id, content, via,
    actor_type, actor_id, count, first_at, last_at, pending, pending_since)
    VALUES ($1, 'obj', 'obj', 'original', 'direct', 'api_key', 'k', 1, now(), now(), 0, now())`,
  share: `INSERT INTO share (project_id, id, kind, object_id, allow_download, created_by)
    VALUES ($1, 'shr', 'view', 'obj', true, '{}')`,
  policy: `INSERT INTO policy (id, project_id, name, mode, scope_type, actions, rules)
    VALUES ('pol', $1, 'p', 'enforce', 'project', '{}', '[]')`,
  object_hold: `INSERT INTO object_hold (project_id, object_id, policy_id, rule_type)
    VALUES ($1, 'obj', 'pol', 'r')`,
  retention_rule: `INSERT INTO retention_rule (project_id, id, scope_type, type, days)
    VALUES ($1, 'ret', 'project', 'delete_after', 1)`,
  erasure: `INSERT INTO erasure (project_id, id, value_count, objects, requested_by)
    VALUES ($1, 'era', 1, 'purge', '{}')`,
  erasure_resource: `INSERT INTO erasure_resource (project_id, erasure_id, resource_type, resource_id, fields, value_indexes)
    VALUES ($1, 'era', 'object', 'obj', '{}', '{}')`,
  redaction_fact: `INSERT INTO redaction_fact (project_id, object_id, source_object_id, verified, all_pages)
    VALUES ($1, 'obj', 'src', true, true)`,
  inherited_fact: `INSERT INTO inherited_fact (project_id, object_id, tags, labels, collection_ids)
    VALUES ($1, 'obj', '{}', '{}', '{}')`,
  job: `INSERT INTO job (id, project_id, source_object_id, origin) VALUES ('job', $1, 'obj', '{}')`,
  job_operation: `INSERT INTO job_operation (project_id, job_id, index, op, options)
    VALUES ($1, 'job', 0, 'ocr', '{}')`,
  preset: `INSERT INTO preset (project_id, id, name, operations, created_by) VALUES ($1, 'pst', 'p', '[]', '{}')`,
  pack: `INSERT INTO pack (project_id, id, name, source, options, origin) VALUES ($1, 'pack', 'p', '{}', '{}', '{}')`,
  pack_document: `INSERT INTO pack_document (project_id, pack_id, position, object_id, filename, sha256, mime, citation_key)
    VALUES ($1, 'pack', 1, 'obj', 'f', 's', 'm', 'k')`,
  review: `INSERT INTO review (project_id, id, job_id, operation_index, op, source_object_id, reviewers, pages,
      requested_by, expires_at)
    VALUES ($1, 'rev', 'job', 0, 'ocr', 'obj', 'anyone', 1, '{}', now())`,
  finding: `INSERT INTO finding (project_id, id, review_id, type, source, content, laid_out)
    VALUES ($1, 'fnd', 'rev', 'PERSON', 'detector', 'c', false)`,
  review_count: `INSERT INTO review_count (project_id, review_id, type, score_tenth, source, decision, findings)
    VALUES ($1, 'rev', 'PERSON', 9, 'detector', 'accepted', 1)`,
  review_text: `INSERT INTO review_text (project_id, review_id, page, piece, layout, start_at, length,
      first_line, lines, content)
    VALUES ($1, 'rev', 1, 0, 'lines', 0, 1, 1, 0, 'c')`,
  certificate_key: `INSERT INTO certificate_key (project_id, id, public_key, private_key)
    VALUES ($1, 'k', 'p', 's')`,
  job_page: `INSERT INTO job_page (project_id, job_id, operation_index, page) VALUES ($1, 'job', 0, 1)`,
  job_output: `INSERT INTO job_output (project_id, job_id, operation_index, kind, object_id)
    VALUES ($1, 'job', 0, 'text', 'obj')`,
  event: `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
    VALUES ('evt_' || $1, $1, 'domain', 't', 'r', 'i', '{}', 'system')`,
  sequence_counter: `INSERT INTO sequence_counter (project_id, category, last) VALUES ($1, 'domain', 1)`,
  unpublished_stretch: `INSERT INTO unpublished_stretch (project_id, stretch) VALUES ($1, 7)`,
  consumer: `INSERT INTO consumer (id, project_id, name, category, position)
    VALUES ('con', $1, 'c', 'domain', 0)`,
  task: `INSERT INTO task (id, project_id, queue, kind, payload)
    VALUES ('tsk_' || $1, $1, 'ocr', 'k', '{}')`,
  webhook_endpoint: `INSERT INTO webhook_endpoint (id, project_id, url, event_types, secrets)
    VALUES ('whk_' || $1, $1, 'u', '{}', '[]')`,
  delivery: `INSERT INTO delivery (id, event_id, event_type, project_id, endpoint_id)
    VALUES ('whd_' || $1, 'evt_' || $1, 't', $1, 'whk_' || $1)`,
  due_delivery: `INSERT INTO due_delivery (id, event_id, project_id, endpoint_id, ordinal)
    VALUES ('whd_' || $1, 'evt_' || $1, $1, 'whk_' || $1, 1)`,
  webhook_tally: `INSERT INTO webhook_tally (endpoint_id, project_id, cells, response_ms)
    VALUES ('whk_' || $1, $1, '{0}', 1)`,
  webhook_stat: `INSERT INTO webhook_stat (endpoint_id, minutes, since, project_id, outcomes, latencies, response_ms)
    VALUES ('whk_' || $1, 5, now(), $1, '{1}', '{1}', 1)`,
  webhook_flow: `INSERT INTO webhook_flow (endpoint_id, project_id) VALUES ('whk_' || $1, $1)`,
  replay: `INSERT INTO replay (id, project_id, endpoint_id, selection, since, until, walk, matched)
    VALUES ('rpl_' || $1, $1, 'whk_' || $1, 'failed', now(), now(), '[]', 0)`,
  attempt: `INSERT INTO attempt (event_id, delivery_id, number, project_id)
    VALUES ('evt_' || $1, 'whd_' || $1, 1, $1)`,
  upload: `INSERT INTO upload (id, project_id, key_id, length, filename, tags, metadata, on_duplicate, given, expires_at)
    VALUES ('upl_' || substr($1, 5), $1, 'k', 1, 'f', '{}', '{}', 'reuse', '', now())`,
};
