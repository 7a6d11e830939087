import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The current rate of deliveries to an endpoint, and its recent results. */
@Entity('webhook_flow')
export class WebhookFlow {
  @PrimaryColumn({ type: 'text', name: 'endpoint_id' })
  endpointId!: string;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'timestamptz', name: 'handed_at', nullable: true })
  handedAt!: Date | null;

  @Column({ type: 'double precision', default: 1000000 })
  tokens!: number;

  @Column({ type: 'timestamptz', name: 'refilled_at', default: () => 'now()' })
  refilledAt!: Date;

  @Column({ type: 'integer', name: 'window_size', default: 8 })
  windowSize!: number;

  @Column({ type: 'integer', name: 'failures_in_row', default: 0 })
  failuresInRow!: number;

  @Column({ type: 'timestamptz', name: 'held_until', nullable: true })
  heldUntil!: Date | null;

  @Column({ type: 'integer', name: 'hold_seconds', nullable: true })
  holdSeconds!: number | null;

  @Column({ type: 'timestamptz', name: 'failing_since', nullable: true })
  failingSince!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_success_at', nullable: true })
  lastSuccessAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_failure_at', nullable: true })
  lastFailureAt!: Date | null;

  @Column({ type: 'jsonb', name: 'last_error', nullable: true })
  lastError!: { code: string; message: string } | null;
}
