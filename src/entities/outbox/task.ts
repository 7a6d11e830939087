import type { QueueName } from '@scriptorium/contracts/work/queues';
import type { TaskKind } from '@scriptorium/contracts/work/tasks';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A durable unit of work, deleted when done. */
@Entity('task')
export class Task {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text' })
  queue!: QueueName;

  @Column({ type: 'text' })
  kind!: TaskKind;

  @Column({ type: 'jsonb' })
  payload!: Record<string, unknown>;

  @Column({ type: 'text', name: 'resource_id', nullable: true })
  resourceId!: string | null;

  @Column({ type: 'text', default: 'pending' })
  state!: 'pending' | 'running';

  @Column({ type: 'timestamptz', name: 'due_at', default: () => 'now()' })
  dueAt!: Date;

  @Column({ type: 'timestamptz', name: 'handed_at', nullable: true })
  handedAt!: Date | null;

  @Column({ type: 'integer', name: 'lease_epoch', default: 0 })
  leaseEpoch!: number;

  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'integer', default: 0 })
  crashes!: number;

  @Column({ type: 'text', name: 'last_error', nullable: true })
  lastError!: string | null;

  @Column({ type: 'text', name: 'request_id', nullable: true })
  requestId!: string | null;

  @Column({ type: 'text', name: 'trace_parent', nullable: true })
  traceParent!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
