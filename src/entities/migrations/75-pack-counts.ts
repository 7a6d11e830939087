import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/** What a pack counts of its documents: in SQL, from rows that were added or removed. */
const counts = `sum(sign) AS documents_total,
  coalesce(sum(sign) FILTER (WHERE state IN ('pending', 'running')), 0) AS documents_open,
  coalesce(sum(sign) FILTER (WHERE state = 'succeeded'), 0) AS documents_completed,
  coalesce(sum(sign) FILTER (WHERE state = 'failed'), 0) AS documents_failed,
  coalesce(sum(sign) FILTER (WHERE state = 'withheld'), 0) AS documents_withheld,
  coalesce(sum(sign) FILTER (WHERE reused), 0) AS documents_reused,
  sum(sign * coalesce(pages, 1)) AS pages_total,
  coalesce(sum(sign * coalesce(pages, 1)) FILTER (WHERE state = 'succeeded'), 0) AS pages_completed`;

const names = [
  ...['documents_total', 'documents_open', 'documents_completed', 'documents_failed'],
  ...['documents_withheld', 'documents_reused', 'pages_total', 'pages_completed'],
];

/** SQL that adds what is counted in rows with a sign to their packs. */
const addOf = (rows: string): string => `
  UPDATE pack SET ${names.map((name) => `${name} = pack.${name} + c.${name}`).join(', ')}
  FROM (SELECT project_id, pack_id, ${counts} FROM (${rows}) r GROUP BY project_id, pack_id) c
  WHERE pack.project_id = c.project_id AND pack.id = c.pack_id
    AND (${names.map((name) => `c.${name}`).join(', ')}) <> (${names.map(() => '0').join(', ')});`;

/**
 * A pack counts its documents, so that a list reads no row of them. A trigger counts, in the statement
 * that changes the documents: the previous release, which still serves, changes them without counting.
 */
export class PackCounts1000000000075 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockPatiently('pack'));
    await runner.query(lockPatiently('pack_document'));
    await runner.query(`
      ALTER TABLE pack ${names.map((name) => `ADD COLUMN ${name} integer NOT NULL DEFAULT 0`).join(', ')};

      CREATE FUNCTION count_pack_documents() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          ${addOf('SELECT *, 1 AS sign FROM new_rows')}
        ELSE
          ${addOf('SELECT *, 1 AS sign FROM new_rows UNION ALL SELECT *, -1 FROM old_rows')}
        END IF;
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER pack_document_added AFTER INSERT ON pack_document
        REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_pack_documents();
      CREATE TRIGGER pack_document_changed AFTER UPDATE ON pack_document
        REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_pack_documents();

      ALTER TABLE pack NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE pack_document NO FORCE ROW LEVEL SECURITY;
      ${addOf('SELECT *, 1 AS sign FROM pack_document')}
      ALTER TABLE pack FORCE ROW LEVEL SECURITY;
      ALTER TABLE pack_document FORCE ROW LEVEL SECURITY;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER pack_document_added ON pack_document;
      DROP TRIGGER pack_document_changed ON pack_document;
      DROP FUNCTION count_pack_documents();
      ALTER TABLE pack ${names.map((name) => `DROP COLUMN ${name}`).join(', ')};
    `);
  }
}
