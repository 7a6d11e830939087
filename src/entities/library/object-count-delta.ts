import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ObjectCount } from './object-count.ts';

/** A change of an `ObjectCount` since the last fold. */
@Entity('object_count_delta')
export class ObjectCountDelta {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'bigint', generated: 'identity' })
  id!: number;

  @Column({ type: 'text' })
  facet!: ObjectCount['facet'];

  @Column({ type: 'text' })
  value!: string;

  @Column({ type: 'bigint' })
  delta!: number;
}
