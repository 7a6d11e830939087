import type { QueueName } from '@scriptorium/contracts/work/queues';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A queue that an operator has paused. */
@Entity('queue_pause')
export class QueuePause {
  @PrimaryColumn({ type: 'text' })
  queue!: QueueName;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'timestamptz', name: 'paused_at', default: () => 'now()' })
  pausedAt!: Date;
}
