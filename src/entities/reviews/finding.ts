import type { Actor } from '@scriptorium/contracts/origin';
import type { FindingDecision, FindingSource } from '@scriptorium/contracts/reviews';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A finding that a person decides about. Deleted some time after the end of the review. */
@Entity('finding')
export class Finding {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'review_id' })
  reviewId!: string;

  /** Null for findings that are not on a page. */
  @Column({ type: 'integer', nullable: true })
  page!: number | null;

  @Column({ type: 'text' })
  type!: string;

  /** The detected type, if a person changed it. */
  @Column({ type: 'text', name: 'found_as', nullable: true })
  foundAs!: string | null;

  /** Null for findings that a person added. */
  @Column({ type: 'double precision', nullable: true })
  score!: number | null;

  @Column({ type: 'text' })
  source!: FindingSource;

  @Column({ type: 'text', default: 'pending' })
  decision!: FindingDecision;

  @Column({ type: 'jsonb', name: 'decided_by', nullable: true })
  decidedBy!: Actor | null;

  /** The value, boxes and other data for its removal; sealed. */
  @Column({ type: 'text' })
  content!: string;

  /** The reason of the decision; sealed. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** The boxes that will be painted; null until they are computed. */
  @Column({ type: 'jsonb', nullable: true })
  removal!: number[][] | null;

  /** The range in the text of a file without pages, in UTF-16 units of its page. */
  @Column({ type: 'integer', name: 'range_start', nullable: true })
  rangeStart!: number | null;

  @Column({ type: 'integer', name: 'range_end', nullable: true })
  rangeEnd!: number | null;

  /** Whether `removal` reflects the current decisions of the page. */
  @Column({ type: 'boolean', name: 'laid_out' })
  laidOut!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}
