import type { Failure } from '@scriptorium/contracts/wire/common';
import type { Camera, Location, Orientation } from '@scriptorium/contracts/wire/library/images';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The data about a picture that its object does not have. */
@Entity('image')
export class Image {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'object_id' })
  objectId!: string;

  @Column({ type: 'boolean', default: true })
  processing!: boolean;

  @Column({ type: 'jsonb', nullable: true })
  error!: Failure | null;

  @Column({ type: 'text', nullable: true })
  title!: string | null;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', name: 'alt_text', nullable: true })
  altText!: string | null;

  @Column({ type: 'smallint', nullable: true })
  rating!: number | null;

  @Column({ type: 'integer', nullable: true })
  width!: number | null;

  @Column({ type: 'integer', nullable: true })
  height!: number | null;

  @Column({ type: 'text', nullable: true })
  orientation!: Orientation | null;

  @Column({ type: 'timestamptz', name: 'captured_at', nullable: true })
  capturedAt!: Date | null;

  /** Who made the picture, from its metadata: of several, separated by semicolons. */
  @Column({ type: 'text', nullable: true })
  creator!: string | null;

  @Column({ type: 'text', nullable: true })
  copyright!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  camera!: Camera | null;

  @Column({ type: 'jsonb', nullable: true })
  location!: Location | null;

  @Column({ type: 'text', name: 'dominant_color', nullable: true })
  dominantColor!: string | null;

  @Column({ type: 'text', array: true, nullable: true })
  palette!: string[] | null;

  @Column({ type: 'text', nullable: true })
  blurhash!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'integer', default: 0 })
  version!: number;
}
