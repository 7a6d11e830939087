import type { ReviewableOperation } from '@scriptorium/contracts/operations';
import type { Actor } from '@scriptorium/contracts/origin';
import type { ReviewState } from '@scriptorium/contracts/reviews';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person's review of the findings of an operation. Its counts are kept permanently. */
@Entity('review')
export class Review {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'job_id' })
  jobId!: string;

  @Column({ type: 'integer', name: 'operation_index' })
  operationIndex!: number;

  @Column({ type: 'text' })
  op!: ReviewableOperation;

  @Column({ type: 'text', name: 'source_object_id' })
  sourceObjectId!: string;

  @Column({ type: 'text', default: 'open' })
  state!: ReviewState;

  @Column({ type: 'text' })
  reviewers!: 'anyone' | 'not_requester';

  /** The number of pages that were searched. */
  @Column({ type: 'integer' })
  pages!: number;

  @Column({ type: 'integer', default: 0 })
  pending!: number;

  /** Findings of the detector, like `rejected`. */
  @Column({ type: 'integer', default: 0 })
  accepted!: number;

  @Column({ type: 'integer', default: 0 })
  rejected!: number;

  /** Findings that people added. */
  @Column({ type: 'integer', default: 0 })
  added!: number;

  @Column({ type: 'jsonb', name: 'requested_by' })
  requestedBy!: Actor;

  @Column({ type: 'jsonb', name: 'claimed_by', nullable: true })
  claimedBy!: Actor | null;

  @Column({ type: 'timestamptz', name: 'claimed_until', nullable: true })
  claimedUntil!: Date | null;

  @Column({ type: 'jsonb', name: 'decided_by', default: [] })
  decidedBy!: Actor[];

  /** For a file without pages: a digest of the text that findings refer to. */
  @Column({ type: 'text', name: 'text_digest', nullable: true })
  textDigest!: string | null;

  /** The label that a person chose, for `classify`. */
  @Column({ type: 'text', nullable: true })
  label!: string | null;

  /** The reason of the rejection; sealed. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'submitted_at', nullable: true })
  submittedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'ended_at', nullable: true })
  endedAt!: Date | null;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}
