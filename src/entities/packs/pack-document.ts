import type { PackDocumentState } from '@scriptorium/contracts/packs';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A document of a pack, as it was when the pack was created. */
@Entity('pack_document')
export class PackDocument {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'pack_id' })
  packId!: string;

  /** Starts at 1; by filename and identifier. */
  @PrimaryColumn({ type: 'integer' })
  position!: number;

  @Column({ type: 'text', name: 'object_id' })
  objectId!: string;

  @Column({ type: 'text' })
  filename!: string;

  @Column({ type: 'text' })
  sha256!: string;

  @Column({ type: 'text' })
  mime!: string;

  @Column({ type: 'integer', nullable: true })
  pages!: number | null;

  @Column({ type: 'text', default: 'pending' })
  state!: PackDocumentState;

  /**
   * The common prefix of its chunks' identifiers: derived from its bytes and the pack's options.
   */
  @Column({ type: 'text', name: 'citation_key' })
  citationKey!: string;

  @Column({ type: 'text', name: 'job_id', nullable: true })
  jobId!: string | null;

  @Column({ type: 'boolean', default: false })
  reused!: boolean;

  @Column({ type: 'integer', nullable: true })
  chunks!: number | null;

  @Column({ type: 'integer', nullable: true })
  tokens!: number | null;

  /** Whether its redaction was verified; null without a redaction. */
  @Column({ type: 'boolean', nullable: true })
  verified!: boolean | null;

  /** Whether a person reviewed the redaction; null without one. */
  @Column({ type: 'boolean', nullable: true })
  reviewed!: boolean | null;

  @Column({ type: 'jsonb', nullable: true })
  error!: Failure | null;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
