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

  /** What kinds of personal data its text was verified to be free of; null where it is as read. */
  @Column({ type: 'text', array: true, name: 'text_free_of', nullable: true })
  textFreeOf!: string[] | null;

  @Column({ type: 'text', name: 'text_job_id', nullable: true })
  textJobId!: string | null;
}
