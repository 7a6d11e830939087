import type { DownloadedContent, DownloadMethod } from '@scriptorium/contracts/downloads';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often an actor downloaded a content of an object, and how. */
@Entity('object_download')
export class ObjectDownload {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  /** The object that was requested. */
  @PrimaryColumn({ type: 'text', name: 'object_id' })
  objectId!: string;

  @PrimaryColumn({ type: 'text', name: 'delivered_object_id' })
  deliveredObjectId!: string;

  @PrimaryColumn({ type: 'text' })
  content!: DownloadedContent;

  @PrimaryColumn({ type: 'text' })
  via!: DownloadMethod;

  @PrimaryColumn({ type: 'text', name: 'actor_type' })
  actorType!: string;

  @PrimaryColumn({ type: 'text', name: 'actor_id' })
  actorId!: string;

  /** As of the latest request; null for keys. */
  @Column({ type: 'text', name: 'actor_name', nullable: true })
  actorName!: string | null;

  @Column({ type: 'bigint' })
  count!: number;

  @Column({ type: 'timestamptz', name: 'first_at' })
  firstAt!: Date;

  @Column({ type: 'timestamptz', name: 'last_at' })
  lastAt!: Date;

  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', name: 'request_id', nullable: true })
  requestId!: string | null;

  /** The part of `count` that no event has reported yet. */
  @Column({ type: 'bigint' })
  pending!: number;

  @Column({ type: 'timestamptz', name: 'pending_since' })
  pendingSince!: Date;

  /** The time of the last event that reported it. */
  @Column({ type: 'timestamptz', name: 'reported_at', default: () => `'-infinity'` })
  reportedAt!: Date;
}
