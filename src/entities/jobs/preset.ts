import type { Actor } from '@scriptorium/contracts/origin';
import type { OperationWithOptions } from '@scriptorium/contracts/wire/operations';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A named list of operations. Options that may contain personal data are sealed. */
@Entity('preset')
export class Preset {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** With complete options. */
  @Column({ type: 'jsonb' })
  operations!: OperationWithOptions[];

  @Column({ type: 'jsonb', name: 'created_by' })
  createdBy!: Actor;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}
