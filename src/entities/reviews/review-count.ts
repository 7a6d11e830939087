import type { FindingDecision, FindingSource } from '@scriptorium/contracts/reviews';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many findings of a review ended with a decision. Kept when the findings are deleted. */
@Entity('review_count')
export class ReviewCount {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'review_id' })
  reviewId!: string;

  @PrimaryColumn({ type: 'text' })
  type!: string;

  /** The tenth of the score, from 0 to 9; 9 for findings that a person added. */
  @PrimaryColumn({ type: 'integer', name: 'score_tenth' })
  scoreTenth!: number;

  @PrimaryColumn({ type: 'text' })
  source!: FindingSource;

  @PrimaryColumn({ type: 'text' })
  decision!: FindingDecision;

  @Column({ type: 'integer' })
  findings!: number;
}
