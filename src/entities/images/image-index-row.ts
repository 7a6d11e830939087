import type { Orientation } from '@scriptorium/contracts/wire/library/images';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ObjectState } from '../library/stored-object.ts';

/** The search index of an image; written by triggers on `image` and `object`. */
@Entity('image_index')
export class ImageIndexRow {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'image_id' })
  imageId!: string;

  @Column({ type: 'text' })
  state!: ObjectState;

  @Column({ type: 'boolean', generatedType: 'STORED', asExpression: `state = 'trashed'` })
  trashed!: boolean;

  @Column({ type: 'text' })
  mime!: string;

  @Column({ type: 'text', nullable: true })
  orientation!: Orientation | null;

  @Column({ type: 'integer', nullable: true })
  width!: number | null;

  @Column({ type: 'integer', nullable: true })
  height!: number | null;

  @Column({ type: 'smallint', nullable: true })
  rating!: number | null;

  @Column({ type: 'bigint' })
  bytes!: number;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;

  @Column({ type: 'timestamptz', name: 'captured_at', nullable: true })
  capturedAt!: Date | null;

  @Column({ type: 'text' })
  filename!: string;

  @Column({ type: 'text', array: true })
  tags!: string[];

  @Column({ type: 'boolean', generatedType: 'STORED', asExpression: `tags = '{}'` })
  untagged!: boolean;

  @Column({ type: 'tsvector' })
  document!: string;
}
