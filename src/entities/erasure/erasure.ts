import type { ErasureMode, ErasureState, OrdinaryWord } from '@scriptorium/contracts/erasures';
import type { Actor } from '@scriptorium/contracts/origin';
import type { ErasureReport } from '@scriptorium/contracts/wire/erasures';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The removal of values, such as the name of a person, from a project. */
@Entity('erasure')
export class Erasure {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', default: 'searching' })
  state!: ErasureState;

  /** A JSON list, sealed; null as soon as it is no longer needed. */
  @Column({ type: 'text', name: 'sealed_values', nullable: true })
  sealedValues!: string | null;

  @Column({ type: 'integer', name: 'value_count' })
  valueCount!: number;

  @Column({ type: 'text' })
  objects!: ErasureMode;

  @Column({ type: 'jsonb', name: 'requested_by' })
  requestedBy!: Pick<Actor, 'type' | 'id'>;

  @Column({ type: 'jsonb', name: 'confirmed_by', nullable: true })
  confirmedBy!: Pick<Actor, 'type' | 'id'> | null;

  @Column({ type: 'integer', default: 0 })
  percent!: number;

  @Column({ type: 'jsonb', name: 'ordinary_words', default: [] })
  ordinaryWords!: OrdinaryWord[];

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  @Column({ type: 'jsonb', nullable: true })
  report!: ErasureReport | null;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}
