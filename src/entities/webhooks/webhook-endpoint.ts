import type { PayloadFilter } from '@scriptorium/contracts/events/payload-filter';
import type { SignatureKind } from '@scriptorium/contracts/wire/webhooks';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Values that must not be readable in the database; sealed with SECRET_KEY. */
export interface SealedValue {
  cipher: string;
}

/** Names in plain text and sealed values, which are often credentials. */
export type SealedHeaders = Record<string, SealedValue>;

/** A signing secret; null means that it never expires. */
export interface SealedSecret extends SealedValue {
  expires_at: string | null;
  /** `whpk_…` of a key pair that signs v1a; absent for an HMAC secret. */
  public_key?: string;
}

/** A URL that receives a project's events. */
@Entity('webhook_endpoint')
export class WebhookEndpoint {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text', name: 'event_types', array: true })
  eventTypes!: string[];

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', default: 'enabled' })
  state!: 'enabled' | 'paused' | 'disabled';

  @Column({ type: 'text', name: 'disabled_reason', nullable: true })
  disabledReason!: string | null;

  @Column({ type: 'jsonb', default: {} })
  headers!: SealedHeaders;

  @Column({ type: 'text', default: 'full' })
  payload!: 'full' | 'thin';

  @Column({ type: 'jsonb' })
  secrets!: SealedSecret[];

  @Column({ type: 'integer', name: 'max_in_flight', default: 20 })
  maxInFlight!: number;

  @Column({ type: 'integer', name: 'max_per_second', nullable: true })
  maxPerSecond!: number | null;

  @Column({ type: 'jsonb', nullable: true })
  filter!: PayloadFilter | null;

  @Column({ type: 'text', array: true, default: ['v1'] })
  signing!: SignatureKind[];

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}
