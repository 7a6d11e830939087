import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One try at a delivery; its row exists before anything is sent. */
@Entity('attempt')
export class Attempt {
  @PrimaryColumn({ type: 'text', name: 'event_id' })
  eventId!: string;

  @PrimaryColumn({ type: 'text', name: 'delivery_id' })
  deliveryId!: string;

  @PrimaryColumn({ type: 'integer' })
  number!: number;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text' })
  trigger!: string;

  @Column({ type: 'text' })
  outcome!: 'unknown' | 'succeeded' | 'failed';

  @Column({ type: 'timestamptz' })
  at!: Date;

  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  @Column({ type: 'real', name: 'duration_ms', nullable: true })
  durationMs!: number | null;

  @Column({ type: 'jsonb', nullable: true })
  timings!: Record<string, number> | null;

  @Column({ type: 'jsonb', nullable: true })
  error!: { code: string; message: string } | null;

  @Column({ type: 'text', name: 'response_excerpt', nullable: true })
  responseExcerpt!: string | null;

  @Column({ type: 'timestamptz', name: 'next_attempt_at', nullable: true })
  nextAttemptAt!: Date | null;
}
