import type { PolicyAction, PolicyMode, PolicyRule, RuleName } from '@scriptorium/contracts/rules';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The rules for the objects of a scope. */
@Entity('policy')
export class PolicyRow {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  mode!: PolicyMode;

  @Column({ type: 'text', name: 'scope_type' })
  scopeType!: 'project' | 'collection' | 'tag';

  @Column({ type: 'text', array: true, name: 'scope_members', default: [] })
  scopeMembers!: string[];

  @Column({ type: 'text', array: true })
  actions!: PolicyAction[];

  @Column({ type: 'jsonb', nullable: true })
  conditions!: { mime?: string[]; labels?: string[] } | null;

  @Column({ type: 'jsonb' })
  rules!: PolicyRule[];

  @Column({ type: 'text', array: true, name: 'sticky_rules', default: [] })
  stickyRules!: RuleName[];

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}
