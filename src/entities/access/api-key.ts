import type { Actor } from '@scriptorium/contracts/origin';
import type { Scope } from '@scriptorium/contracts/scopes';
import type { KeyState } from '@scriptorium/contracts/wire/keys';
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';

/** SQL for the state of a key by Postgres's clock. */
export const keyStateOf = (row: string): string =>
  `CASE WHEN ${row}.revoked_at <= clock_timestamp() THEN 'revoked'
     WHEN ${row}.expires_at <= clock_timestamp() THEN 'expired' ELSE 'active' END`;

/** A credential for one project. Only the hash of its secret is stored. */
@Entity('api_key')
export class ApiKey {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  prefix!: string;

  @Column({ type: 'bytea', name: 'key_hash', select: false })
  keyHash!: Buffer;

  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  @Column({ type: 'text', name: 'allowed_cidrs', array: true, default: [] })
  allowedCidrs!: string[];

  @Column({ type: 'integer', name: 'read_per_minute', nullable: true })
  readPerMinute!: number | null;

  @Column({ type: 'integer', name: 'write_per_minute', nullable: true })
  writePerMinute!: number | null;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column({ type: 'jsonb', name: 'created_by' })
  createdBy!: Actor;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;

  /** The state when it was read, by Postgres's clock. */
  @VirtualColumn({ type: 'text', query: keyStateOf })
  state!: KeyState;
}
