import type { Actor } from '@scriptorium/contracts/origin';
import type { DeletionReport } from '@scriptorium/contracts/wire/projects';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The deletion of a project. It outlives the project, and contains no personal values. */
@Entity('project_deletion')
export class ProjectDeletion {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text' })
  id!: string;

  /** Without a name. */
  @Column({ type: 'jsonb', name: 'requested_by' })
  requestedBy!: Pick<Actor, 'type' | 'id'>;

  @Column({ type: 'timestamptz', name: 'requested_at', default: () => 'now()' })
  requestedAt!: Date;

  /** Deleted rows by table. */
  @Column({ type: 'jsonb', name: 'rows_deleted', default: {} })
  rowsDeleted!: Record<string, number>;

  /** Null until the files are counted. */
  @Column({ type: 'bigint', name: 'files_deleted', nullable: true })
  filesDeleted!: number | null;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  /** When the remains of requests that were in progress were removed. */
  @Column({ type: 'timestamptz', name: 'checked_at', nullable: true })
  checkedAt!: Date | null;

  @Column({ type: 'jsonb', nullable: true })
  report!: DeletionReport | null;
}
