import { expect } from 'chai';
import pg from 'pg';
import { createDatabase, type TestDatabase } from '../support/services.ts';

/** Text for people. What programs compare is absent here, and has COLLATE "C". */
const words = [
  'api_key.name',
  'attempt.response_excerpt',
  'city.country',
  'city.name',
  'collection.description',
  'collection.name',
  'collection.tags',
  'consumer.name',
  'delivery.first_excerpt',
  'event.actor_name',
  'event.body',
  'finding.content',
  'finding.reason',
  'idempotency.body',
  'image.alt_text',
  'image.copyright',
  'image.creator',
  'image.description',
  'image.title',
  'image_index.filename',
  'image_index.tags',
  'image_place.place',
  'inherited_fact.tags',
  'invitation.name',
  'job_page.text',
  'member.email',
  'member.name',
  'object.filename',
  'object.tags',
  'object_download.actor_name',
  'object_index.tags',
  'object_text.text',
  'pack.name',
  'pack_document.filename',
  'passage.headings',
  'passage.text',
  'person.email',
  'person.name',
  'policy.name',
  // Tags, or identifiers of collections: compared with tags.
  'policy.scope_members',
  'portal_session.user_agent',
  'preset.description',
  'preset.name',
  'project.name',
  'queue_pause.reason',
  'review.reason',
  'review_text.content',
  'review_text.layout',
  'share.message',
  'share.title',
  'task.last_error',
  'upload.filename',
  'upload.tags',
  'webhook_endpoint.description',
];

describe('collations', () => {
  let database: TestDatabase;
  let superuser: pg.Client;
  before(async () => {
    database = await createDatabase();
    superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
  });
  after(async () => {
    await superuser.end();
    await database.drop();
  });

  it('of all text but words for people are "C"', async () => {
    const { rows } = await superuser.query<{ name: string }>(
      `SELECT c.relname || '.' || a.attname AS name FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND c.relname NOT IN ('migration', 'typeorm_metadata')
         AND a.attcollation NOT IN (0, 'pg_catalog."C"'::regcollation)`,
    );
    const others = rows.map(({ name }) => name);
    expect(others).to.have.members(words);
  });

  it('are valid in every index and CHECK', async () => {
    const { rows } = await superuser.query(
      `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid
       UNION ALL SELECT conname FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace AND NOT convalidated`,
    );
    expect(rows).to.deep.equal([]);
  });
});
