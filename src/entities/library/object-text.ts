import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The searchable text of one page of an object, as it was read or after a redaction. */
@Entity('object_text')
export class ObjectText {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'object_id' })
  objectId!: string;

  @PrimaryColumn({ type: 'integer' })
  page!: number;

  @PrimaryColumn({ type: 'boolean' })
  redacted!: boolean;

  @Column({ type: 'tsvector' })
  vector!: string;

  /** Null for a page that is stored as a set of words. */
  @Column({ type: 'integer', name: 'last_position', nullable: true })
  lastPosition!: number | null;

  /** The kinds of personal data that a verified redaction removed; null for all other text. */
  @Column({ type: 'text', array: true, name: 'free_of', nullable: true })
  freeOf!: string[] | null;

  @Column({ type: 'double precision' })
  worth!: number;

  @Column({ type: 'text', name: 'job_id' })
  jobId!: string;

  /** The beginning of the text, for excerpts; null for text that was stored by an earlier release. */
  @Column({ type: 'text', nullable: true })
  text!: string | null;
}
