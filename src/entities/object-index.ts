import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an object is searched by. Details are kept by triggers, text by the jobs that recognise it. */
@Entity('object_index')
export class ObjectIndex {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'object_id' })
  objectId!: string;

  @Column({ type: 'text', array: true })
  tags!: string[];

  @Column({ type: 'tsvector' })
  details!: string;

  @Column({ type: 'tsvector' })
  text!: string;

  /** Whether phrases can be looked for in the text; a very long one is kept as a set of words. */
  @Column({ type: 'boolean', name: 'has_positions' })
  hasPositions!: boolean;

  /** Written by releases that kept one text only; null since. */
  @Column({ type: 'text', array: true, name: 'text_free_of', nullable: true })
  textFreeOf!: string[] | null;

  /** What verified redactions left, of the pages that are free of `redactedFreeOf`. */
  @Column({ type: 'tsvector', name: 'redacted_text' })
  redactedText!: string;

  @Column({ type: 'boolean', name: 'redacted_has_positions' })
  redactedHasPositions!: boolean;

  /** The kinds of personal data that the redacted text is free of; null when there is none. */
  @Column({ type: 'text', array: true, name: 'redacted_free_of', nullable: true })
  redactedFreeOf!: string[] | null;

  @Column({ type: 'text', name: 'text_job_id', nullable: true })
  textJobId!: string | null;
}
