import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A delivery to be sent, with its due time and its lease. Deleted when the delivery ends. */
@Entity('due_delivery')
export class DueDelivery {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text', name: 'endpoint_id' })
  endpointId!: string;

  @Column({ type: 'text', name: 'event_id' })
  eventId!: string;

  @Column({ type: 'text', name: 'replay_id', nullable: true })
  replayId!: string | null;

  @Column({ type: 'bigint' })
  ordinal!: number;

  /** 0 requested manually, 1 failed before, 2 new, 3 replayed. */
  @Column({ type: 'smallint', default: 2 })
  lane!: number;

  @Column({ type: 'timestamptz', name: 'due_at', default: () => 'now()' })
  dueAt!: Date;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ type: 'integer', default: 0 })
  failures!: number;

  @Column({ type: 'integer', default: 0 })
  crashes!: number;

  @Column({ type: 'integer', name: 'lease_epoch', default: 0 })
  leaseEpoch!: number;

  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'timestamptz', name: 'begun_at', nullable: true })
  begunAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  trigger!: 'schedule' | 'manual' | 'probe' | null;

  /** The state to return to if a manual attempt fails; null without one. */
  @Column({ type: 'text', name: 'resume_state', nullable: true })
  resumeState!: 'pending' | 'succeeded' | 'exhausted' | 'skipped' | 'cancelled' | null;

  @Column({ type: 'timestamptz', name: 'resume_due_at', nullable: true })
  resumeDueAt!: Date | null;
}
