import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The search index of an object. Triggers maintain its details; jobs that recognise text maintain
 * its text.
 */
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

  @Column({ type: 'tsvector', default: '' })
  text!: string;

  /** Whether the text can be searched for phrases; a very long one is stored as a set of words. */
  @Column({ type: 'boolean', name: 'has_positions', default: true })
  hasPositions!: boolean;

  /** The text of pages after verified redactions that are free of `redactedFreeOf`. */
  @Column({ type: 'tsvector', name: 'redacted_text', default: '' })
  redactedText!: string;

  @Column({ type: 'boolean', name: 'redacted_has_positions', default: true })
  redactedHasPositions!: boolean;

  /** The kinds of personal data that the redacted text is free of; null without a redacted text. */
  @Column({ type: 'text', array: true, name: 'redacted_free_of', nullable: true })
  redactedFreeOf!: string[] | null;

  @Column({ type: 'text', name: 'text_job_id', nullable: true })
  textJobId!: string | null;
}
