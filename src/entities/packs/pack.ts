import type { JobOrigin } from '@scriptorium/contracts/jobs';
import type { PackState } from '@scriptorium/contracts/packs';
import type { Failure } from '@scriptorium/contracts/wire/common';
import type { PackOptions } from '@scriptorium/contracts/wire/pack-options';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Documents that are built into one archive for language models. */
@Entity('pack')
export class Pack {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', default: 'queued' })
  state!: PackState;

  @Column({ type: 'text' })
  name!: string;

  /** The source of its documents; of a list of objects, only the number is kept. */
  @Column({ type: 'jsonb' })
  source!: {
    collection_id: string | null;
    filter: Record<string, unknown> | null;
    object_count: number | null;
  };

  @Column({ type: 'jsonb' })
  options!: PackOptions;

  @Column({ type: 'text', nullable: true })
  refreshes!: string | null;

  @Column({ type: 'text', name: 'retry_of', nullable: true })
  retryOf!: string | null;

  @Column({ type: 'jsonb' })
  origin!: JobOrigin;

  @Column({ type: 'integer', default: 0 })
  percent!: number;

  /** Counts of its documents, which a trigger maintains in the statement that changes them. */
  @Column({ type: 'integer', name: 'documents_total', default: 0 })
  documentsTotal!: number;

  /** Documents that have not ended. */
  @Column({ type: 'integer', name: 'documents_open', default: 0 })
  documentsOpen!: number;

  @Column({ type: 'integer', name: 'documents_completed', default: 0 })
  documentsCompleted!: number;

  @Column({ type: 'integer', name: 'documents_failed', default: 0 })
  documentsFailed!: number;

  @Column({ type: 'integer', name: 'documents_withheld', default: 0 })
  documentsWithheld!: number;

  @Column({ type: 'integer', name: 'documents_reused', default: 0 })
  documentsReused!: number;

  /** A document with an unknown number of pages counts as one page. */
  @Column({ type: 'integer', name: 'pages_total', default: 0 })
  pagesTotal!: number;

  @Column({ type: 'integer', name: 'pages_completed', default: 0 })
  pagesCompleted!: number;

  @Column({ type: 'text', name: 'object_id', nullable: true })
  objectId!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  error!: Failure | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}
