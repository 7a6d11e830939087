import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A part of an object's text that a search of passages ranks: a part of a page, or a chunk of
 * `normalize_for_llm`. Triggers write the parts of pages.
 */
@Entity('passage')
export class Passage {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'object_id' })
  objectId!: string;

  @PrimaryColumn({ type: 'boolean' })
  redacted!: boolean;

  @PrimaryColumn({ type: 'integer' })
  page!: number;

  @PrimaryColumn({ type: 'integer' })
  position!: number;

  @Column({ type: 'integer', name: 'last_page' })
  lastPage!: number;

  /** The index of its chunk; null for a part of a page. */
  @Column({ type: 'integer', nullable: true })
  chunk!: number | null;

  @Column({ type: 'text', name: 'job_id' })
  jobId!: string;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  headings!: string[];

  @Column({ type: 'text' })
  text!: string;

  /** The boxes of a chunk on its pages. */
  @Column({ type: 'jsonb', nullable: true })
  boxes!: { page: number; box: number[] }[] | null;

  @Column({ type: 'tsvector' })
  vector!: string;

  @Column({ type: 'text', array: true, name: 'free_of', nullable: true })
  freeOf!: string[] | null;
}
