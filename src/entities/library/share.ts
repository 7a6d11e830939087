import type { Actor } from '@scriptorium/contracts/origin';
import type { ShareKind, ShareState } from '@scriptorium/contracts/wire/library/shares';
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';

/** A link for people without a key. It is signed and not stored. */
@Entity('share')
export class Share {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  kind!: ShareKind;

  @Column({ type: 'text', name: 'object_id', nullable: true })
  objectId!: string | null;

  /** The collection that it shows, or to which uploads are added. */
  @Column({ type: 'text', name: 'collection_id', nullable: true })
  collectionId!: string | null;

  @Column({ type: 'text', nullable: true })
  title!: string | null;

  @Column({ type: 'text', nullable: true })
  message!: string | null;

  @Column({ type: 'text', name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  @Column({ type: 'boolean', name: 'allow_download' })
  allowDownload!: boolean;

  @Column({ type: 'integer', name: 'max_views', nullable: true })
  maxViews!: number | null;

  @Column({ type: 'integer', name: 'max_downloads', nullable: true })
  maxDownloads!: number | null;

  @Column({ type: 'integer', name: 'max_files', nullable: true })
  maxFiles!: number | null;

  /** Media types of uploads; empty for all. */
  @Column({ type: 'text', array: true, default: [] })
  accept!: string[];

  @Column({ type: 'bigint', name: 'max_bytes', nullable: true })
  maxBytes!: number | null;

  @Column({ type: 'integer', default: 0 })
  views!: number;

  @Column({ type: 'integer', default: 0 })
  downloads!: number;

  @Column({ type: 'integer', default: 0 })
  uploads!: number;

  @Column({ type: 'timestamptz', name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column({ type: 'jsonb', name: 'created_by' })
  createdBy!: Actor;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;

  /** The state when it was read, by Postgres's clock. */
  @VirtualColumn({
    type: 'text',
    query: (row) =>
      `CASE WHEN ${row}.revoked_at IS NOT NULL THEN 'revoked'
         WHEN ${row}.expires_at <= clock_timestamp() THEN 'expired'
         WHEN ${row}.views >= ${row}.max_views OR ${row}.downloads >= ${row}.max_downloads
           OR ${row}.uploads >= ${row}.max_files THEN 'used_up'
         ELSE 'active' END`,
  })
  state!: ShareState;
}
