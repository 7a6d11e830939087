import { ViewColumn, ViewEntity } from 'typeorm';

/**
 * An ended attempt at a delivery: the first is stored in its delivery, later ones in the table
 * `attempt`.
 */
@ViewEntity('attempt_record')
export class Attempt {
  @ViewColumn({ name: 'event_id' })
  eventId!: string;

  @ViewColumn({ name: 'delivery_id' })
  deliveryId!: string;

  @ViewColumn()
  number!: number;

  @ViewColumn({ name: 'project_id' })
  projectId!: string;

  @ViewColumn()
  trigger!: string;

  @ViewColumn()
  outcome!: 'unknown' | 'succeeded' | 'failed';

  @ViewColumn()
  at!: Date;

  @ViewColumn()
  status!: number | null;

  @ViewColumn({ name: 'duration_ms' })
  durationMs!: number | null;

  @ViewColumn()
  timings!: Record<string, number> | null;

  @ViewColumn()
  error!: { code: string; message: string } | null;

  @ViewColumn({ name: 'response_excerpt' })
  responseExcerpt!: string | null;

  @ViewColumn({ name: 'next_attempt_at' })
  nextAttemptAt!: Date | null;
}
