import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The sequence of the last event in a project and category, and of the last one that was dropped.
 */
@Entity('sequence_counter')
export class SequenceCounter {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  category!: 'domain' | 'audit';

  @Column({ type: 'bigint' })
  last!: number;

  /** Events up to and including this sequence may have been dropped; 0 if none were. */
  @Column({ type: 'bigint', default: 0 })
  dropped!: number;
}
