import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a redaction took out of a source, and whether nothing of it is left. */
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

  /** Null is all there are. */
  @Column({ type: 'text', array: true, nullable: true })
  entities!: string[] | null;

  @Column({ type: 'boolean', name: 'all_pages' })
  allPages!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
