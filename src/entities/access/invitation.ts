import type { Actor } from '@scriptorium/contracts/origin';
import type { Role } from '@scriptorium/contracts/roles';
import type { InvitationState } from '@scriptorium/contracts/wire/members';
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';

/** An invitation to a project. Its link is signed and not stored. */
@Entity('invitation')
export class Invitation {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** The name of the invited person, as the inviter entered it. */
  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'jsonb', name: 'created_by' })
  createdBy!: Actor;

  /** The person who accepted it. */
  @Column({ type: 'text', name: 'accepted_by', nullable: true })
  acceptedBy!: string | null;

  @Column({ type: 'timestamptz', name: 'accepted_at', nullable: true })
  acceptedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;

  /** The state when it was read, by Postgres's clock. */
  @VirtualColumn({
    type: 'text',
    query: (row) =>
      `CASE WHEN ${row}.accepted_at IS NOT NULL THEN 'accepted'
         WHEN ${row}.revoked_at IS NOT NULL THEN 'revoked'
         WHEN ${row}.expires_at <= clock_timestamp() THEN 'expired' ELSE 'open' END`,
  })
  state!: InvitationState;
}
