import type { RenditionMime, RenditionName } from '@scriptorium/contracts/wire/library/images';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A smaller picture of an image, for display. */
@Entity('rendition')
export class Rendition {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'image_id' })
  imageId!: string;

  @PrimaryColumn({ type: 'text' })
  name!: RenditionName;

  @PrimaryColumn({ type: 'text' })
  mime!: RenditionMime;

  @Column({ type: 'text' })
  sha256!: string;

  @Column({ type: 'bigint' })
  bytes!: number;

  @Column({ type: 'integer' })
  width!: number;

  @Column({ type: 'integer' })
  height!: number;
}
