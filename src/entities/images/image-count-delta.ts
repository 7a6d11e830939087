import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ImageCount } from './image-count.ts';

/** A change of an `ImageCount` since the last fold. */
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
