import type { Failure } from '@scriptorium/contracts/wire/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Bytes that are served instead of those of an object, for example without its coordinates. */
@Entity('object_variant')
export class ObjectVariant {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'object_id' })
  objectId!: string;

  @PrimaryColumn({ type: 'text' })
  variant!: string;

  @Column({ type: 'text', nullable: true })
  sha256!: string | null;

  @Column({ type: 'bigint', nullable: true })
  bytes!: number | null;

  @Column({ type: 'jsonb', nullable: true })
  error!: Failure | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
