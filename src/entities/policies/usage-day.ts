import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The usage of a project on a day in UTC. */
@Entity('usage_day')
export class UsageDay {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** The stored amount when the row was last changed. */
  @Column({ type: 'bigint', name: 'storage_bytes' })
  storageBytes!: number;

  /** Requests with a status below 400. */
  @Column({ type: 'bigint' })
  succeeded!: number;

  @Column({ type: 'bigint' })
  failed!: number;

  /** Requests to the embedding endpoint. */
  @Column({ type: 'bigint', name: 'embedding_requests', default: 0 })
  embeddingRequests!: number;

  /** As the endpoint reported them. */
  @Column({ type: 'bigint', name: 'embedding_tokens', default: 0 })
  embeddingTokens!: number;
}
