import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A project's usage of a resource, as of the last fold of the changes (UsageDelta). */
@Entity('usage_count')
export class UsageCount {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  resource!: string;

  @Column({ type: 'bigint' })
  used!: number;
}
