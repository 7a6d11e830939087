import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/** Reviews of files without pages: their text, and findings by their place in it. */
export class ReviewedText1000000000077 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockPatiently('review')}
      ALTER TABLE review ADD COLUMN text_digest text;
      ${lockPatiently('finding')}
      ALTER TABLE finding ADD COLUMN range_start integer, ADD COLUMN range_end integer;
      CREATE INDEX finding_in_text ON finding (project_id, review_id, coalesce(page, 0), range_start)
        WHERE range_start IS NOT NULL;

      CREATE TABLE review_text (
        project_id text COLLATE "C" NOT NULL,
        review_id text COLLATE "C" NOT NULL,
        page integer NOT NULL,
        piece integer NOT NULL,
        layout text NOT NULL,
        start_at integer NOT NULL,
        length integer NOT NULL,
        first_line integer NOT NULL,
        lines integer NOT NULL,
        content text NOT NULL,
        PRIMARY KEY (project_id, review_id, page, piece),
        FOREIGN KEY (project_id, review_id) REFERENCES review (project_id, id) ON DELETE CASCADE
      );
      SELECT wall('{review_text}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON review_text TO api, worker;
    `);
  }

  async down(): Promise<void> {
    throw new Error(
      'Reviews of files without pages may be open: there is no way back. Restore a backup.',
    );
  }
}
