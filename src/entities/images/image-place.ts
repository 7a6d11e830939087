import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where an image was taken; written by triggers on `image`. */
@Entity('image_place')
export class ImagePlace {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'image_id' })
  imageId!: string;

  @Column({ type: 'text', name: 'object_id' })
  objectId!: string;

  @Column({ type: 'double precision' })
  latitude!: number;

  @Column({ type: 'double precision' })
  longitude!: number;

  /** The city at or near the place, and its country; null if every city is more than 100 km away. */
  @Column({ type: 'text', nullable: true })
  place!: string | null;
}
