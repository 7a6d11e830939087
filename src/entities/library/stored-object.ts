import type { Trait } from '@scriptorium/contracts/rules';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type ObjectState = 'processing' | 'available' | 'rejected' | 'failed' | 'trashed';

/** A file of the library: its bytes are content-addressed in storage. */
@Entity('object')
export class StoredObject {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  state!: ObjectState;

  @Column({ type: 'text' })
  filename!: string;

  @Column({ type: 'text' })
  mime!: string;

  @Column({ type: 'bigint' })
  bytes!: number;

  @Column({ type: 'text' })
  sha256!: string;

  @Column({ type: 'integer', nullable: true })
  pages!: number | null;

  @Column({ type: 'jsonb', default: [] })
  labels!: { label: string; score: number }[];

  /**
   * Whether the labels describe only a part of the object, or come from an unreliable reading. If so,
   * policies ignore them.
   */
  @Column({ type: 'boolean', name: 'labels_partial', default: false })
  labelsPartial!: boolean;

  @Column({ type: 'text', array: true, default: [] })
  tags!: string[];

  /** `executable`, `scripted`; null if unknown. */
  @Column({ type: 'text', array: true, nullable: true })
  traits!: Trait[] | null;

  @Column({ type: 'jsonb', default: {} })
  metadata!: Record<string, unknown>;

  @Column({ type: 'text', name: 'derived_from', nullable: true })
  derivedFrom!: string | null;

  @Column({ type: 'text', name: 'source_kind' })
  sourceKind!: 'upload' | 'job';

  @Column({ type: 'text', name: 'source_job_id', nullable: true })
  sourceJobId!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  rejection!: Record<string, unknown> | null;

  @Column({ type: 'timestamptz', name: 'trashed_at', nullable: true })
  trashedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}
