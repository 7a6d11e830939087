import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A delivery that is still to be sent: when, and who is at it. Gone when it is done. */
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

  /** 0 asked for by hand, 1 failed before, 2 new, 3 replayed. */
  @Column({ type: 'smallint' })
  lane!: number;

  @Column({ type: 'timestamptz', name: 'due_at' })
  dueAt!: Date;

  @Column({ type: 'integer' })
  attempts!: number;

  @Column({ type: 'integer' })
  failures!: number;

  @Column({ type: 'integer' })
  crashes!: number;

  @Column({ type: 'integer', name: 'lease_epoch' })
  leaseEpoch!: number;

  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'timestamptz', name: 'begun_at', nullable: true })
  begunAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  trigger!: 'schedule' | 'manual' | 'probe' | null;

  /** What it goes on as when an attempt asked for by hand fails; null without one. */
  @Column({ type: 'text', name: 'resume_state', nullable: true })
  resumeState!: 'pending' | 'succeeded' | 'exhausted' | 'skipped' | 'cancelled' | null;

  @Column({ type: 'timestamptz', name: 'resume_due_at', nullable: true })
  resumeDueAt!: Date | null;
}
