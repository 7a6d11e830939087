import type { EmbeddedTexts, EmbeddingFailure } from '@scriptorium/contracts/embeddings';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which texts of a project are embedded, with which model, and whether that fails. */
@Entity('project_embedding')
export class ProjectEmbedding {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text', default: 'unprotected' })
  texts!: EmbeddedTexts;

  /** The model of the project's vectors; null before the first. */
  @Column({ type: 'text', nullable: true })
  model!: string | null;

  @Column({ type: 'timestamptz', name: 'failing_since', nullable: true })
  failingSince!: Date | null;

  /** The code of the latest failure. */
  @Column({ type: 'text', nullable: true })
  failure!: EmbeddingFailure | null;
}
