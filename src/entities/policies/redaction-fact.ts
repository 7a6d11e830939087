import type { Entities } from '@scriptorium/contracts/rules';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a redaction removed from a source, and whether the removal is verified to be complete. */
@Entity('redaction_fact')
export class RedactionFact {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'object_id' })
  objectId!: string;

  @Column({ type: 'text', name: 'source_object_id' })
  sourceObjectId!: string;

  @Column({ type: 'boolean' })
  verified!: boolean;

  /** Without the types of findings that people rejected. Null means all kinds. */
  @Column({ type: 'text', array: true, nullable: true })
  entities!: string[] | null;

  @Column({ type: 'boolean', name: 'all_pages' })
  allPages!: boolean;

  /** Whether a person submitted its review. */
  @Column({ type: 'boolean', default: false })
  reviewed!: boolean;

  /** The requested types, if findings were rejected; otherwise null. */
  @Column({ type: 'jsonb', nullable: true })
  asked!: Entities | null;

  /** Whether someone other than the requester had to submit its review. */
  @Column({ type: 'boolean', name: 'four_eyes', default: false })
  fourEyes!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
