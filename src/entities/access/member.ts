import type { Actor } from '@scriptorium/contracts/origin';
import type { Role } from '@scriptorium/contracts/roles';
import type { MemberSource, MemberState } from '@scriptorium/contracts/wire/members';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person's membership of a project. */
@Entity('member')
export class Member {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'user_id' })
  userId!: string;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'text' })
  source!: MemberSource;

  /** `invited` until the person accepts a membership that someone else created. */
  @Column({ type: 'text', default: 'active' })
  state!: MemberState;

  /** The e-mail address given when the person was added; otherwise null. */
  @Column({ type: 'text', nullable: true })
  issuer!: string | null;

  @Column({ type: 'text', nullable: true })
  subject!: string | null;

  /** Who granted the role; null for roles from groups. */
  @Column({ type: 'jsonb', name: 'granted_by', nullable: true })
  grantedBy!: Actor | null;

  /** As of the person's last sign-in; before they accept, as entered when they were added. */
  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}
