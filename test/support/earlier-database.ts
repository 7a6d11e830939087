import { DataSource } from 'typeorm';
import { migrations } from '../../src/entities/migrations/index.ts';
import { createDatabase, type TestDatabase } from './services.ts';

/** A database whose schema can be that of an earlier version. */
export interface EarlierDatabase {
  database: TestDatabase;
  superuser: DataSource;
  /** Recreates the schema as it was before the migration of this number. */
  goBackBefore(first: number): Promise<void>;
  close(): Promise<void>;
}

/** The number of a migration: its name ends with a time, which ends with the number. */
const number = (name: string): number => Number(/\d{13}$/.exec(name)![0]) - 1_000_000_000_000;

export async function openEarlierDatabase(): Promise<EarlierDatabase> {
  const database = await createDatabase();
  const superuser = await new DataSource({
    type: 'postgres',
    url: database.superuserUrl,
  }).initialize();
  return {
    database,
    superuser,
    async goBackBefore(first) {
      await superuser.query('DROP SCHEMA public CASCADE');
      await superuser.query(
        'CREATE SCHEMA public AUTHORIZATION owner; GRANT USAGE ON SCHEMA public TO PUBLIC',
      );
      const older = await new DataSource({
        type: 'postgres',
        url: database.ownerUrl,
        migrations: migrations.filter(({ name }) => number(name) < first),
        migrationsTableName: 'migration',
      }).initialize();
      await older.runMigrations({ transaction: 'each' });
      await older.destroy();
    },
    async close() {
      await superuser.destroy();
      await database.drop();
    },
  };
}
