import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant: everything else belongs to a project. */
@Entity('project')
export class Project {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
