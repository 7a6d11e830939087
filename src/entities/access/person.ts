import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person, identified by an identity provider. Belongs to no project. */
@Entity('person')
export class Person {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  issuer!: string;

  @Column({ type: 'text' })
  subject!: string;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  /** The project that the person switched to last. */
  @Column({ type: 'text', name: 'last_project_id', nullable: true })
  lastProjectId!: string | null;

  /** The last sign-in; null before the first. */
  @Column({ type: 'timestamptz', name: 'signed_in_at', nullable: true })
  signedInAt!: Date | null;
}
