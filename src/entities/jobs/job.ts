import type { JobOrigin, JobState, JobWarning } from '@scriptorium/contracts/jobs';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A run of operations over the pages of one object. */
@Entity('job')
export class Job {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', default: 'queued' })
  state!: JobState;

  @Column({ type: 'text', name: 'source_object_id' })
  sourceObjectId!: string;

  @Column({ type: 'text', nullable: true })
  pages!: string | null;

  @Column({ type: 'integer', name: 'pages_total', nullable: true })
  pagesTotal!: number | null;

  @Column({ type: 'integer', name: 'pages_completed', default: 0 })
  pagesCompleted!: number;

  @Column({ type: 'integer', name: 'pages_failed', default: 0 })
  pagesFailed!: number;

  @Column({ type: 'integer', default: 0 })
  percent!: number;

  @Column({ type: 'integer', name: 'current_operation_index', default: 0 })
  currentOperationIndex!: number;

  @Column({ type: 'jsonb', default: [] })
  warnings!: JobWarning[];

  @Column({ type: 'jsonb', nullable: true })
  error!: Failure | null;

  @Column({ type: 'text', name: 'retry_of', nullable: true })
  retryOf!: string | null;

  @Column({ type: 'text', name: 'retry_scope', nullable: true })
  retryScope!: 'failed_pages' | 'all' | null;

  @Column({ type: 'jsonb', default: {} })
  metadata!: Record<string, unknown>;

  @Column({ type: 'jsonb' })
  origin!: JobOrigin;

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
