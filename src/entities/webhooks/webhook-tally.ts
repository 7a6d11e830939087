import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Attempts at an endpoint that were stored together, until they are added to `WebhookStat`. */
@Entity('webhook_tally')
export class WebhookTally {
  @PrimaryColumn({ type: 'text', name: 'endpoint_id' })
  endpointId!: string;

  @PrimaryColumn({ type: 'bigint', generated: 'identity' })
  id!: number;

  @Column({ type: 'text', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  at!: Date;

  /** A cell for each attempt: see `cellOf`. */
  @Column({ type: 'smallint', array: true })
  cells!: number[];

  /** The sum of the response times in milliseconds. */
  @Column({ type: 'real', name: 'response_ms' })
  responseMs!: number;
}
