import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A portal session. It ends with its key or membership, by signing out, after two idle hours, or
 * when it expires.
 */
@Entity('portal_session')
export class PortalSession {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** The key whose session it is; null for the session of a person. */
  @Column({ type: 'text', name: 'key_id', nullable: true })
  keyId!: string | null;

  /** The person whose session it is; null for the session of a key. */
  @Column({ type: 'text', name: 'user_id', nullable: true })
  userId!: string | null;

  /** The last request, to the minute. */
  @Column({ type: 'timestamptz', name: 'last_seen_at', default: () => 'now()' })
  lastSeenAt!: Date;

  /** The IP address from which it was started. */
  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', name: 'user_agent', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', name: 'ended_at', nullable: true })
  endedAt!: Date | null;
}
