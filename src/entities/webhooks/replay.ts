import type { PayloadFilter } from '@scriptorium/contracts/events/payload-filter';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which events of the period are sent again. */
export type ReplaySelection = 'failed' | 'missing' | 'all';

/**
 * The remaining work of a replay: the endpoint's failed deliveries by identifier, or a feed by
 * sequence; after `after`, up to and including `to`.
 */
export type ReplayRange =
  | { of: 'failed'; after: string; to: string }
  | { of: 'domain' | 'audit'; after: number; to: number };

/** The number of deliveries of a replay in each state. */
export interface ReplayOutcomes {
  pending: number;
  succeeded: number;
  exhausted: number;
  skipped: number;
  cancelled: number;
}

/** A replay of the events in a range to an endpoint. */
@Entity('replay')
export class Replay {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text', name: 'endpoint_id' })
  endpointId!: string;

  @Column({ type: 'text', default: 'running' })
  state!: 'running' | 'completed' | 'cancelled';

  /** The reason for its cancellation. */
  @Column({ type: 'text', nullable: true })
  reason!: 'requested' | 'endpoint_disabled' | 'endpoint_deleted' | null;

  @Column({ type: 'text' })
  selection!: ReplaySelection;

  @Column({ type: 'timestamptz' })
  since!: Date;

  @Column({ type: 'timestamptz' })
  until!: Date;

  /** The requested patterns. */
  @Column({ type: 'text', array: true, name: 'event_types', nullable: true })
  eventTypes!: string[] | null;

  /** The types that are sent; null means all types. */
  @Column({ type: 'text', array: true, nullable: true })
  types!: string[] | null;

  @Column({ type: 'jsonb', nullable: true })
  filter!: PayloadFilter | null;

  @Column({ type: 'jsonb' })
  walk!: ReplayRange[];

  @Column({ type: 'integer' })
  matched!: number;

  @Column({ type: 'integer', default: 0 })
  queued!: number;

  @Column({ type: 'jsonb', nullable: true })
  outcomes!: ReplayOutcomes | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
