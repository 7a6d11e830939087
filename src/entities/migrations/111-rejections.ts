import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/** What policies know about findings that people rejected, and about reviews by a second person. */
export class Rejections1000000000111 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockPatiently('finding')}
      -- The type that was detected, if a person changed it.
      ALTER TABLE finding ADD COLUMN found_as text COLLATE "C";

      ${lockPatiently('redaction_fact')}
      -- "entities" is without the types of rejected findings. What was requested, "all" or a list, if that
      -- differs; and whether someone other than the requester submitted the review.
      ALTER TABLE redaction_fact ADD COLUMN asked jsonb,
        ADD COLUMN four_eyes boolean NOT NULL DEFAULT false;

      ${lockPatiently('inherited_fact')}
      -- Replaces "covers" and "reviewed_covers": each with what was requested and who reviewed it.
      ALTER TABLE inherited_fact ADD COLUMN redactions jsonb NOT NULL DEFAULT '[]';
      ALTER TABLE inherited_fact NO FORCE ROW LEVEL SECURITY;
      UPDATE inherited_fact SET redactions = (
        SELECT coalesce(jsonb_agg(jsonb_build_object('entities', c.cover, 'asked', c.cover,
          'reviewed', c.reviewed, 'fourEyes', false)), '[]')
        FROM (SELECT jsonb_array_elements(covers) AS cover, false AS reviewed
          UNION ALL SELECT jsonb_array_elements(reviewed_covers), true) c)
        WHERE covers <> '[]' OR reviewed_covers <> '[]';
      ALTER TABLE inherited_fact FORCE ROW LEVEL SECURITY;
    `);
  }

  async down(): Promise<void> {
    throw new Error(
      'Redactions with rejected findings would count as reviewed: there is no way back. Restore a backup.',
    );
  }
}
