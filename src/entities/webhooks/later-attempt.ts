import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Attempt } from './attempt.ts';

/** An attempt at a delivery other than the first. Partitioned by event_id. */
@Entity('attempt')
export class LaterAttempt {
  @PrimaryColumn({ type: 'text', name: 'event_id' })
  eventId!: string;

  @PrimaryColumn({ type: 'text', name: 'delivery_id' })
  deliveryId!: string;

  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text', default: 'schedule' })
  trigger!: string;

  @Column({ type: 'text', default: 'unknown' })
  outcome!: Attempt['outcome'];

  @Column({ type: 'timestamptz', default: () => 'now()' })
  at!: Date;

  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  @Column({ type: 'real', name: 'duration_ms', nullable: true })
  durationMs!: number | null;

  @Column({ type: 'jsonb', nullable: true })
  timings!: Attempt['timings'];

  @Column({ type: 'jsonb', nullable: true })
  error!: Attempt['error'];

  @Column({ type: 'text', name: 'response_excerpt', nullable: true })
  responseExcerpt!: string | null;

  @Column({ type: 'timestamptz', name: 'next_attempt_at', nullable: true })
  nextAttemptAt!: Date | null;
}
