import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A named reader of the feed: what it wants, and how far it has come. */
@Entity('consumer')
export class Consumer {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  category!: 'domain' | 'audit';

  /** Patterns, as they were given; null is all types. */
  @Column({ type: 'text', name: 'event_types', array: true, nullable: true })
  eventTypes!: string[] | null;

  @Column({ type: 'text', name: 'resource_type', nullable: true })
  resourceType!: string | null;

  @Column({ type: 'text', name: 'resource_id', nullable: true })
  resourceId!: string | null;

  /** The last sequence that is done with. */
  @Column({ type: 'bigint' })
  position!: number;

  @Column({ type: 'timestamptz', name: 'last_read_at', nullable: true })
  lastReadAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_committed_at', nullable: true })
  lastCommittedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** Rises when it commits and when it seeks. */
  @Column({ type: 'integer' })
  version!: number;
}
