import {
  Column,
  CreateDateColumn,
  DataSource,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';

/** The schema of the naive peers' tables, in the same database as this service's. */
export const naiveSchema = 'naive';

/** An API key, looked up by its hash. */
@Entity('api_key', { schema: naiveSchema })
export class NaiveKey {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Index({ unique: true })
  @Column({ type: 'text', name: 'secret_sha256' })
  secretSha256!: string;

  @Column({ type: 'text' })
  owner!: string;
}

abstract class JobColumns {
  @Column({ type: 'text' })
  owner!: string;

  @Column({ type: 'text', name: 'source_object_id' })
  sourceObjectId!: string;

  @Column({ type: 'text', default: 'queued' })
  state!: string;

  @Column({ type: 'jsonb' })
  metadata!: Record<string, unknown>;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}

abstract class OperationColumns {
  @Column({ type: 'text' })
  op!: string;

  @Column({ type: 'jsonb' })
  options!: Record<string, unknown>;

  @Column({ type: 'text', default: 'pending' })
  state!: string;
}

@Entity('job', { schema: naiveSchema })
@Index(['owner', 'createdAt'])
export class NaiveJob extends JobColumns {
  @PrimaryGeneratedColumn('uuid')
  id!: string;
}

@Entity('job_operation', { schema: naiveSchema })
export class NaiveOperation extends OperationColumns {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @ManyToOne(() => NaiveJob)
  @JoinColumn({ name: 'job_id' })
  job!: NaiveJob;
}

/** A job with an assigned identifier, like ours: TypeORM's `save` selects it before inserting. */
@Entity('named_job', { schema: naiveSchema })
@Index(['owner', 'createdAt'])
export class NamedJob extends JobColumns {
  @PrimaryColumn({ type: 'text' })
  id!: string;
}

@Entity('named_job_operation', { schema: naiveSchema })
export class NamedOperation extends OperationColumns {
  @PrimaryColumn({ type: 'text', name: 'job_id' })
  jobId!: string;

  @PrimaryColumn({ type: 'integer' })
  index!: number;

  @ManyToOne(() => NamedJob)
  @JoinColumn({ name: 'job_id' })
  job!: NamedJob;
}

@Entity('webhook_endpoint', { schema: naiveSchema })
export class NaiveEndpoint {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text' })
  secret!: string;
}

@Entity('webhook_event', { schema: naiveSchema })
export class NaiveEvent {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column({ type: 'text' })
  type!: string;

  @Column({ type: 'jsonb' })
  data!: Record<string, unknown>;

  @Column({ type: 'timestamptz', name: 'delivered_at', nullable: true })
  deliveredAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}

@Entity('webhook_attempt', { schema: naiveSchema })
export class NaiveAttempt {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Index()
  @Column({ type: 'uuid', name: 'event_id' })
  eventId!: string;

  @Column({ type: 'uuid', name: 'endpoint_id' })
  endpointId!: string;

  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  @Column({ type: 'integer', name: 'duration_ms' })
  durationMs!: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'at' })
  at!: Date;
}

/** The naive peers' database, with the same default pool size as ours. */
export async function openNaiveDatabase(url: string, poolSize = 16): Promise<DataSource> {
  const database = new DataSource({
    type: 'postgres',
    url,
    entities: [
      NaiveKey,
      NaiveJob,
      NaiveOperation,
      NamedJob,
      NamedOperation,
      NaiveEndpoint,
      NaiveEvent,
      NaiveAttempt,
    ],
    poolSize,
    uuidExtension: 'pgcrypto',
    installExtensions: false,
  });
  return database.initialize();
}

/** Creates the tables of the naive peers, with primary keys and typical indexes. */
export async function createNaiveTables(superuserUrl: string): Promise<void> {
  const database = await openNaiveDatabase(superuserUrl, 1);
  await database.query(`CREATE SCHEMA IF NOT EXISTS ${naiveSchema}`);
  await database.synchronize();
  await database.destroy();
}
