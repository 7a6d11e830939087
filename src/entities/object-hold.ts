import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An object that came under a sticky rule, and stays under it. */
@Entity('object_hold')
export class ObjectHold {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'object_id' })
  objectId!: string;

  @PrimaryColumn({ type: 'text', name: 'policy_id' })
  policyId!: string;

  @PrimaryColumn({ type: 'text', name: 'rule_type' })
  ruleType!: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
