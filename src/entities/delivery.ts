import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a delivery is on its way to, as its row says; while it is pending a `DueDelivery` says more. */
export type DeliveryState = 'pending' | 'succeeded' | 'exhausted' | 'skipped' | 'cancelled';

/**
 * One event owed to one endpoint: the record of it. The table is partitioned by event_id. Its columns
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

  @Column({ type: 'text' })
  state!: DeliveryState;

  /** Its state where that is none that success leads to; null otherwise. Computed by the database. */
  @Column({ type: 'text', name: 'failed_as', nullable: true, insert: false, update: false })
  failedAs!: 'exhausted' | 'skipped' | 'cancelled' | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** How many attempts there were when it ended; while it is pending, when it last ended. */
  @Column({ type: 'integer' })
  attempts!: number;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
