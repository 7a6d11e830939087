import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of attempts at an endpoint in five minutes or an hour, by outcome and by response time. */
@Entity('webhook_stat')
export class WebhookStat {
  @PrimaryColumn({ type: 'text', name: 'endpoint_id' })
  endpointId!: string;

  /** The length of the interval: 5 or 60. */
  @PrimaryColumn({ type: 'smallint' })
  minutes!: number;

  @PrimaryColumn({ type: 'timestamptz' })
  since!: Date;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  /** Successes, then each class of failures. */
  @Column({ type: 'integer', array: true })
  outcomes!: number[];

  /** The attempts that received a response, by response time: see `latencyBounds`. */
  @Column({ type: 'integer', array: true })
  latencies!: number[];

  /** The sum of the response times in milliseconds. */
  @Column({ type: 'double precision', name: 'response_ms' })
  responseMs!: number;
}
