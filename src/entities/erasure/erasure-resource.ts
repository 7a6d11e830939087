import type { ErasureKeeper, ErasureResourceState } from '@scriptorium/contracts/erasures';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A resource that contains a value to erase. Never the value. */
@Entity('erasure_resource')
export class ErasureResource {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'erasure_id' })
  erasureId!: string;

  /** `object`, or the table of a row. */
  @PrimaryColumn({ type: 'text', name: 'resource_type' })
  resourceType!: string;

  @PrimaryColumn({ type: 'text', name: 'resource_id' })
  resourceId!: string;

  /** The fields that contain a value. */
  @Column({ type: 'text', array: true })
  fields!: string[];

  /** The positions of these values in the request. */
  @Column({ type: 'integer', name: 'value_indexes', array: true })
  valueIndexes!: number[];

  @Column({ type: 'text', default: 'found' })
  state!: ErasureResourceState;

  @Column({ type: 'jsonb', name: 'kept_by', nullable: true })
  keptBy!: ErasureKeeper | null;

  /** The hashes of the bytes of a purged object, until these are removed. */
  @Column({ type: 'text', array: true, default: [] })
  hashes!: string[];
}
