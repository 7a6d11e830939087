import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The maximum usage of a resource by a project, if an operator has set it. */
@Entity('project_quota')
export class ProjectQuota {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  resource!: string;

  @Column({ type: 'bigint' })
  most!: number;
}
