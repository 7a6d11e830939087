import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../../contracts/roles.ts';
import type { MemberSource } from '../../contracts/wire/members.ts';

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

  /** As of the person's last sign-in; before the first, as given. */
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
