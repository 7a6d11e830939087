import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A hold: a sticky rule that continues to apply to an object. */
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

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
