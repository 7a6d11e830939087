import type { RetentionRuleType } from '@scriptorium/contracts/retention';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Deletes objects after a time, or keeps them from being deleted by other rules. */
@Entity('retention_rule')
export class RetentionRule {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'scope_type' })
  scopeType!: 'project' | 'collection';

  @Column({ type: 'text', name: 'collection_id', nullable: true })
  collectionId!: string | null;

  @Column({ type: 'text' })
  type!: RetentionRuleType;

  /** For rules that delete. */
  @Column({ type: 'integer', nullable: true })
  days!: number | null;

  /** For `keep_until`. */
  @Column({ type: 'timestamptz', nullable: true })
  until!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}
