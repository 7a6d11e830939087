import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A fact, recorded in the transaction that made it true. The table is partitioned by id. */
@Entity('event')
export class Event {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text' })
  category!: 'domain' | 'audit';

  @Column({ type: 'text' })
  type!: string;

  @Column({ type: 'text', name: 'resource_type' })
  resourceType!: string;

  @Column({ type: 'text', name: 'resource_id' })
  resourceId!: string;

  @Column({ type: 'timestamptz', name: 'occurred_at', default: () => 'now()' })
  occurredAt!: Date;

  @Column({ type: 'jsonb' })
  data!: Record<string, unknown>;

  @Column({ type: 'text', name: 'actor_type' })
  actorType!: string;

  @Column({ type: 'text', name: 'actor_id', nullable: true })
  actorId!: string | null;

  /** The name of a person, as of that time. */
  @Column({ type: 'text', name: 'actor_name', nullable: true })
  actorName!: string | null;

  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', name: 'request_id', nullable: true })
  requestId!: string | null;

  @Column({ type: 'text', name: 'trace_parent', nullable: true })
  traceParent!: string | null;

  @Column({ type: 'bigint', default: () => "nextval('event_ordinal')" })
  ordinal!: number;

  @Column({ type: 'bigint', nullable: true })
  sequence!: number | null;

  @Column({ type: 'text', nullable: true })
  body!: string | null;

  @Column({ type: 'timestamptz', name: 'fanned_out_at', nullable: true })
  fannedOutAt!: Date | null;

  @Column({ type: 'integer', default: 0 })
  owed!: number;

  @Column({ type: 'integer', default: 0 })
  delivered!: number;

  @Column({ type: 'timestamptz', name: 'published_at', nullable: true })
  publishedAt!: Date | null;
}
