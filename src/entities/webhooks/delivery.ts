import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Attempt } from './attempt.ts';

/** The state of a delivery in its row; while it is pending, `DueDelivery` has the details. */
export type DeliveryState = 'pending' | 'succeeded' | 'exhausted' | 'skipped' | 'cancelled';

/**
 * The record of one event for one endpoint. The table is partitioned by event_id. Its columns
 * `first_…` hold the first attempt and are read through the view `attempt_record`.
 */
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

  /** The type of the event. */
  @Column({ type: 'text', name: 'event_type' })
  eventType!: string;

  @Column({ type: 'text', default: 'pending' })
  state!: DeliveryState;

  /** The state of a delivery that ended without success. Computed by the database. */
  @Column({
    type: 'text',
    name: 'failed_as',
    nullable: true,
    generatedType: 'STORED',
    asExpression: `CASE WHEN (state = ANY (ARRAY['exhausted', 'skipped', 'cancelled'])) THEN state
      ELSE NULL END`,
  })
  failedAs!: 'exhausted' | 'skipped' | 'cancelled' | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** The number of attempts when it ended; while it is pending again, when it last ended. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'first_at', nullable: true })
  firstAt!: Date | null;

  @Column({ type: 'text', name: 'first_trigger', nullable: true })
  firstTrigger!: string | null;

  @Column({ type: 'boolean', name: 'first_succeeded', nullable: true })
  firstSucceeded!: boolean | null;

  @Column({ type: 'integer', name: 'first_status', nullable: true })
  firstStatus!: number | null;

  @Column({ type: 'real', name: 'first_dns_ms', nullable: true })
  firstDnsMs!: number | null;

  @Column({ type: 'real', name: 'first_connect_ms', nullable: true })
  firstConnectMs!: number | null;

  @Column({ type: 'real', name: 'first_tls_ms', nullable: true })
  firstTlsMs!: number | null;

  @Column({ type: 'real', name: 'first_byte_ms', nullable: true })
  firstByteMs!: number | null;

  @Column({ type: 'real', name: 'first_total_ms', nullable: true })
  firstTotalMs!: number | null;

  @Column({ type: 'jsonb', name: 'first_error', nullable: true })
  firstError!: Attempt['error'];

  @Column({ type: 'text', name: 'first_excerpt', nullable: true })
  firstExcerpt!: string | null;

  @Column({ type: 'timestamptz', name: 'first_next_at', nullable: true })
  firstNextAt!: Date | null;
}
