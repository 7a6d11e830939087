import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Entities } from '../contracts/rules.ts';

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

  /** What it is free of, by each redaction it was made from. */
  @Column({ type: 'jsonb' })
  covers!: Entities[];
}
