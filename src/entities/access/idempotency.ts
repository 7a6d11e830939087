import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The stored response to a request with an Idempotency-Key. */
@Entity('idempotency')
export class Idempotency {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'key_id' })
  keyId!: string;

  @PrimaryColumn({ type: 'text' })
  route!: string;

  @PrimaryColumn({ type: 'text' })
  value!: string;

  @Column({ type: 'bytea' })
  fingerprint!: Buffer;

  @Column({ type: 'integer' })
  status!: number;

  @Column({ type: 'jsonb' })
  headers!: Record<string, string>;

  @Column({ type: 'text' })
  body!: string;

  @Column({ type: 'boolean', default: false })
  encrypted!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
