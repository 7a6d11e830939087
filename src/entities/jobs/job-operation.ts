import type { OperationState } from '@scriptorium/contracts/jobs';
import type { OperationName } from '@scriptorium/contracts/operations';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One step of a job. */
@Entity('job_operation')
export class JobOperation {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'job_id' })
  jobId!: string;

  @PrimaryColumn({ type: 'integer' })
  index!: number;

  @Column({ type: 'text' })
  op!: OperationName;

  @Column({ type: 'jsonb' })
  options!: Record<string, unknown>;

  @Column({ type: 'boolean', default: false })
  implicit!: boolean;

  @Column({ type: 'text', default: 'pending' })
  state!: OperationState;

  @Column({ type: 'integer', name: 'pages_total', nullable: true })
  pagesTotal!: number | null;

  @Column({ type: 'integer', name: 'pages_succeeded', default: 0 })
  pagesSucceeded!: number;

  @Column({ type: 'integer', name: 'pages_failed', default: 0 })
  pagesFailed!: number;

  @Column({ type: 'integer', name: 'pages_skipped', default: 0 })
  pagesSkipped!: number;

  @Column({ type: 'jsonb', nullable: true })
  result!: Record<string, unknown> | null;

  @Column({ type: 'jsonb', nullable: true })
  error!: Failure | null;

  /** The contents of its certificate; null unless it is a redaction with an output. */
  @Column({ type: 'jsonb', nullable: true })
  certificate!: Record<string, unknown> | null;

  @Column({ type: 'timestamptz', name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
