import type { TextLayout } from '@scriptorium/contracts/documents/shown-text';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A range of the text of a file without pages, for reviewers. Deleted with the findings in it. */
@Entity('review_text')
export class ReviewText {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'review_id' })
  reviewId!: string;

  /** 0 for text that is not on a page. */
  @PrimaryColumn({ type: 'integer' })
  page!: number;

  /** Its number on the page, from 0. */
  @PrimaryColumn({ type: 'integer' })
  piece!: number;

  @Column({ type: 'text' })
  layout!: TextLayout;

  /** Its first character in the text of the page, in UTF-16 units, like `length`. */
  @Column({ type: 'integer', name: 'start_at' })
  start!: number;

  @Column({ type: 'integer' })
  length!: number;

  /** The line number of its first line, starting at 1. */
  @Column({ type: 'integer', name: 'first_line' })
  firstLine!: number;

  /** The number of line ends. */
  @Column({ type: 'integer' })
  lines!: number;

  /** The text, the name of the page and the parts that it belongs to; sealed. */
  @Column({ type: 'text' })
  content!: string;
}
