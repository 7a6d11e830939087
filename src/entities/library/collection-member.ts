import type { ResourceType } from '@scriptorium/contracts/wire/library/collections';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The position of a resource in a manual collection. */
@Entity('collection_member')
export class CollectionMember {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'collection_id' })
  collectionId!: string;

  @PrimaryColumn({ type: 'text', name: 'resource_type' })
  resourceType!: ResourceType;

  @PrimaryColumn({ type: 'text', name: 'resource_id' })
  resourceId!: string;

  @Column({ type: 'text' })
  position!: string;

  @Column({ type: 'boolean', default: false })
  hidden!: boolean;

  @Column({ type: 'timestamptz', name: 'added_at', default: () => 'now()' })
  addedAt!: Date;
}
