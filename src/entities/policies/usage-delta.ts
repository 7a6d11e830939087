import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A change of a `UsageCount` since the last fold; written by triggers. */
@Entity('usage_delta')
export class UsageDelta {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'bigint', generated: 'identity' })
  id!: number;

  @Column({ type: 'text' })
  resource!: string;

  @Column({ type: 'bigint' })
  delta!: number;
}
