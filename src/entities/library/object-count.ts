import { Column, Entity, PrimaryColumn } from 'typeorm';

type Facet = 'state' | 'mime' | 'month' | 'tag';

/** The number of objects with a value, as of the last fold of the changes (ObjectCountDelta). */
@Entity('object_count')
export class ObjectCount {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  /** Facets that begin with `derived_` count objects derived from others, outside the trash. */
  facet!: Facet | `derived_${Facet}`;

  @PrimaryColumn({ type: 'text' })
  value!: string;

  @Column({ type: 'bigint' })
  count!: number;
}
