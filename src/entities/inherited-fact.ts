import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an object has from a source that is purged. */
@Entity('inherited_fact')
export class InheritedFact {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'object_id' })
  objectId!: string;

  @Column({ type: 'text', array: true })
  tags!: string[];

  @Column({ type: 'text', array: true })
  labels!: string[];

  @Column({ type: 'text', array: true, name: 'collection_ids' })
  collectionIds!: string[];
}
