import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of images with a value, as of the last fold of the changes (ImageCountDelta). */
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
