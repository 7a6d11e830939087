import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last sequence given to an event of a project and category, and the last that was dropped. */
@Entity('sequence_counter')
export class SequenceCounter {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  category!: 'domain' | 'audit';

  @Column({ type: 'bigint' })
  last!: number;

  /** Up to and with this one events may be gone; 0 when none is. */
  @Column({ type: 'bigint' })
  dropped!: number;
}
