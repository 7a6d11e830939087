import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reviews by people: operations wait for them, and their findings. */
export class Reviews1000000000065 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TYPE job_state ADD VALUE 'awaiting_review';
      ALTER TYPE operation_state ADD VALUE 'awaiting_review';

      CREATE TABLE review (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        job_id text COLLATE "C" NOT NULL,
        operation_index integer NOT NULL,
        op text NOT NULL,
        source_object_id text COLLATE "C" NOT NULL,
        state text NOT NULL DEFAULT 'open' CHECK (state IN
          ('open', 'submitted', 'rejected', 'cancelled', 'expired')),
        reviewers text NOT NULL CHECK (reviewers IN ('anyone', 'not_requester')),
        pages integer NOT NULL,
        pending integer NOT NULL DEFAULT 0,
        accepted integer NOT NULL DEFAULT 0,
        rejected integer NOT NULL DEFAULT 0,
        added integer NOT NULL DEFAULT 0,
        requested_by jsonb NOT NULL,
        claimed_by jsonb,
        claimed_until timestamptz,
        decided_by jsonb NOT NULL DEFAULT '[]',
        label text,
        reason text,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        submitted_at timestamptz,
        ended_at timestamptz,
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id),
        -- An operation is reviewed once: a retry is a new job.
        UNIQUE (project_id, job_id, operation_index),
        FOREIGN KEY (project_id, job_id, operation_index)
          REFERENCES job_operation (project_id, job_id, index) ON DELETE CASCADE
      );
      CREATE INDEX review_oldest ON review (project_id, created_at, id);
      CREATE INDEX review_source ON review (project_id, source_object_id);

      CREATE TABLE finding (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        review_id text COLLATE "C" NOT NULL,
        page integer,
        type text NOT NULL,
        score double precision,
        source text NOT NULL CHECK (source IN ('detector', 'person')),
        decision text NOT NULL DEFAULT 'pending' CHECK (decision IN ('pending', 'accepted', 'rejected')),
        decided_by jsonb,
        content text NOT NULL,
        reason text,
        removal jsonb,
        laid_out boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id),
        FOREIGN KEY (project_id, review_id) REFERENCES review (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX finding_in_order ON finding (project_id, review_id, coalesce(page, 0), id);

      CREATE TABLE review_count (
        project_id text COLLATE "C" NOT NULL,
        review_id text COLLATE "C" NOT NULL,
        type text NOT NULL,
        score_tenth integer NOT NULL CHECK (score_tenth BETWEEN 0 AND 9),
        source text NOT NULL,
        decision text NOT NULL,
        findings integer NOT NULL,
        PRIMARY KEY (project_id, review_id, type, score_tenth, source, decision),
        FOREIGN KEY (project_id, review_id) REFERENCES review (project_id, id) ON DELETE CASCADE
      );
      SELECT wall('{review,finding,review_count}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON review, finding, review_count TO api, worker;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Jobs may be waiting for a review: there is no way back. Restore a backup.');
  }
}
