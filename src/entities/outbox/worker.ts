import type { QueueName } from '@scriptorium/contracts/work/queues';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The heartbeat of a worker process on one queue. */
@Entity('worker')
export class Worker {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @PrimaryColumn({ type: 'text' })
  queue!: QueueName;

  @Column({ type: 'integer' })
  slots!: number;

  @Column({ type: 'timestamptz', name: 'seen_at', default: () => 'now()' })
  seenAt!: Date;
}
