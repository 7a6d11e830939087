import type { FileType, RedactionCoverage } from '@scriptorium/contracts/rules';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The facts that an object inherits from a purged source. Every object whose source was purged has a row. */
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

  /** Whether a part of its contents is not classified, so that it may have further labels. */
  @Column({ type: 'boolean', default: false })
  unclassified!: boolean;

  @Column({ type: 'text', array: true, name: 'collection_ids' })
  collectionIds!: string[];

  @Column({ type: 'jsonb', default: [] })
  types!: FileType[];

  /** The data that each redaction among its sources removed. */
  @Column({ type: 'jsonb', default: [] })
  redactions!: RedactionCoverage[];

  /** Operations that ran without a review. */
  @Column({ type: 'text', array: true, default: [] })
  unreviewed!: string[];
}
