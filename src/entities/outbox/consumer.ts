import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A named reader of the feed: its filter and its position. */
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

  /** Patterns, as given; null means all types. */
  @Column({ type: 'text', name: 'event_types', array: true, nullable: true })
  eventTypes!: string[] | null;

  @Column({ type: 'text', name: 'resource_type', nullable: true })
  resourceType!: string | null;

  @Column({ type: 'text', name: 'resource_id', nullable: true })
  resourceId!: string | null;

  /** The last acknowledged sequence. */
  @Column({ type: 'bigint' })
  position!: number;

  @Column({ type: 'timestamptz', name: 'last_read_at', nullable: true })
  lastReadAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_committed_at', nullable: true })
  lastCommittedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  /** Increases with each commit and each seek. */
  @Column({ type: 'integer', default: 1 })
  version!: number;
}
