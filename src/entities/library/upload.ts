import { Column, Entity, PrimaryColumn } from 'typeorm';

type UploadState = 'uploading' | 'completed' | 'rejected' | 'expired';

/** A file that is sent in several requests. */
@Entity('upload')
export class Upload {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'key_id' })
  keyId!: string;

  @Column({ type: 'text', default: 'uploading' })
  state!: UploadState;

  /** The final size in bytes. */
  @Column({ type: 'bigint' })
  length!: number;

  @Column({ type: 'text' })
  filename!: string;

  @Column({ type: 'text', name: 'declared_mime', nullable: true })
  declaredMime!: string | null;

  @Column({ type: 'text', array: true })
  tags!: string[];

  @Column({ type: 'jsonb' })
  metadata!: Record<string, unknown>;

  @Column({ type: 'text', name: 'on_duplicate' })
  onDuplicate!: 'reuse' | 'allow';

  @Column({ type: 'text' })
  given!: string;

  @Column({ type: 'text', nullable: true })
  mime!: string | null;

  @Column({ type: 'text', name: 'object_id', nullable: true })
  objectId!: string | null;

  @Column({ type: 'boolean', nullable: true })
  deduplicated!: boolean | null;

  @Column({ type: 'jsonb', nullable: true })
  rejection!: Record<string, unknown> | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt!: Date;
}
