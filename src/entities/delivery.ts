import { Column, Entity, PrimaryColumn } from 'typeorm';

export type DeliveryState =
  | 'pending'
  | 'delivering'
  | 'succeeded'
  | 'exhausted'
  | 'skipped'
  | 'cancelled';

/** One event owed to one endpoint. The table is partitioned by event_id. */
@Entity('delivery')
export class Delivery {
  @PrimaryColumn({ type: 'text', name: 'event_id' })
  eventId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text', name: 'endpoint_id' })
  endpointId!: string;

  @Column({ type: 'text', name: 'replay_id', nullable: true })
  replayId!: string | null;

  @Column({ type: 'text' })
  state!: DeliveryState;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'timestamptz', name: 'due_at' })
  dueAt!: Date;

  @Column({ type: 'timestamptz', name: 'handed_at', nullable: true })
  handedAt!: Date | null;

  @Column({ type: 'integer', name: 'lease_epoch' })
  leaseEpoch!: number;

  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'integer' })
  crashes!: number;

  @Column({ type: 'integer' })
  attempts!: number;

  @Column({ type: 'integer' })
  failures!: number;

  /** What it goes on as when an attempt asked for by hand fails; null without one. */
  @Column({ type: 'text', name: 'resume_state', nullable: true })
  resumeState!: 'pending' | 'succeeded' | 'exhausted' | 'skipped' | null;

  @Column({ type: 'timestamptz', name: 'resume_due_at', nullable: true })
  resumeDueAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
