import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The vector of a passage. Both columns are null if the endpoint rejected the text. */
@Entity('passage_embedding')
export class PassageEmbedding {
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

  /** The signs of the components. */
  @Column({ type: 'bit varying', nullable: true })
  bits!: string | null;

  /** The components, one signed byte each. */
  @Column({ type: 'bytea', nullable: true })
  vector!: Buffer | null;
}
