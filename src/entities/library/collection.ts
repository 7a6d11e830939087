import type {
  CollectionKind,
  CollectionState,
} from '@scriptorium/contracts/wire/library/collections';
import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A named group of images and objects: listed by hand, or found by a query. */
@Entity('collection')
export class Collection {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', default: 'available' })
  state!: CollectionState;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text' })
  kind!: CollectionKind;

  @Column({ type: 'jsonb', nullable: true })
  query!: ImageFilters | null;

  @Column({ type: 'text', name: 'parent_id', nullable: true })
  parentId!: string | null;

  @Column({ type: 'text', name: 'cover_image_id', nullable: true })
  coverImageId!: string | null;

  @Column({ type: 'boolean', name: 'cover_hidden', default: false })
  coverHidden!: boolean;

  @Column({ type: 'text', array: true, default: [] })
  tags!: string[];

  @Column({ type: 'jsonb', default: {} })
  metadata!: Record<string, unknown>;

  @Column({ type: 'integer', name: 'member_count', default: 0 })
  memberCount!: number;

  @Column({ type: 'integer', name: 'order_epoch', default: 0 })
  orderEpoch!: number;

  @Column({ type: 'timestamptz', name: 'trashed_at', nullable: true })
  trashedAt!: Date | null;

  @Column({ type: 'text', name: 'trashed_with', nullable: true })
  trashedWith!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}
