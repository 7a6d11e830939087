import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many images have a value, as of the last fold of the changes (ImageCountDelta). */
@Entity('image_count')
export class ImageCount {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  facet!: 'state' | 'mime' | 'orientation' | 'tag';

  @PrimaryColumn({ type: 'text' })
  value!: string;

  @Column({ type: 'bigint' })
  count!: number;
}

/** By how much such a count changed since. */
@Entity('image_count_delta')
export class ImageCountDelta {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'bigint', generated: 'identity' })
  id!: number;

  @Column({ type: 'text' })
  facet!: ImageCount['facet'];

  @Column({ type: 'text' })
  value!: string;

  @Column({ type: 'bigint' })
  delta!: number;
}
