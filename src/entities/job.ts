import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { JobOrigin, JobState, JobWarning } from '../contracts/jobs.ts';
import type { Failure } from '../contracts/wire/common.ts';

/** A run of operations over the pages of one object. */
@Entity('job')
export class Job {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  state!: JobState;

  @Column({ type: 'text', name: 'source_object_id' })
  sourceObjectId!: string;

  @Column({ type: 'text', nullable: true })
  pages!: string | null;

  @Column({ type: 'integer', name: 'pages_total', nullable: true })
  pagesTotal!: number | null;

  @Column({ type: 'integer', name: 'pages_completed' })
  pagesCompleted!: number;

  @Column({ type: 'integer', name: 'pages_failed' })
  pagesFailed!: number;

  @Column({ type: 'integer' })
  percent!: number;

  @Column({ type: 'integer', name: 'current_operation_index' })
  currentOperationIndex!: number;

  @Column({ type: 'jsonb' })
  warnings!: JobWarning[];

  @Column({ type: 'jsonb', nullable: true })
  error!: Failure | null;

  @Column({ type: 'text', name: 'retry_of', nullable: true })
  retryOf!: string | null;

  @Column({ type: 'text', name: 'retry_scope', nullable: true })
  retryScope!: 'failed_pages' | 'all' | null;

  @Column({ type: 'jsonb' })
  metadata!: Record<string, unknown>;

  @Column({ type: 'jsonb' })
  origin!: JobOrigin;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;

  @Column({ type: 'integer' })
  version!: number;
}
