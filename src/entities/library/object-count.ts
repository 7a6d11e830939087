import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of objects with a value, as of the last fold of the changes (ObjectCountDelta). */
@Entity('object_count')
export class ObjectCount {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  facet!: 'state' | 'mime' | 'month' | 'tag';

  @PrimaryColumn({ type: 'text' })
  value!: string;

  @Column({ type: 'bigint' })
  count!: number;
}
