import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The model of the embedding endpoint that the workers use. At most one row. */
@Entity('embedding_endpoint')
export class EmbeddingEndpoint {
  @PrimaryColumn({ type: 'boolean', default: true })
  id!: boolean;

  @Column({ type: 'text' })
  model!: string;
}
