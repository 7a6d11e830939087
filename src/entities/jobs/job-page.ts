import type { PageState } from '@scriptorium/contracts/jobs';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The result of one operation on one page. */
@Entity('job_page')
export class JobPage {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'job_id' })
  jobId!: string;

  @PrimaryColumn({ type: 'integer', name: 'operation_index' })
  operationIndex!: number;

  @PrimaryColumn({ type: 'integer' })
  page!: number;

  @Column({ type: 'text', default: 'pending' })
  state!: PageState;

  @Column({ type: 'jsonb', nullable: true })
  error!: Failure | null;

  @Column({ type: 'jsonb', nullable: true })
  result!: Record<string, unknown> | null;

  @Column({ type: 'text', nullable: true })
  text!: string | null;

  @Column({ type: 'bytea', nullable: true, select: false })
  words!: Buffer | null;

  /** Whether `words` is sealed under SECRET_KEY: see jobs/sealing/page-content. */
  @Column({ type: 'boolean', default: false })
  sealed!: boolean;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
