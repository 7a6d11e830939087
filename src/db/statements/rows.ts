import {
  type EntityTarget,
  type FindOperator,
  type FindOptionsWhere,
  type InsertQueryBuilder,
  type ObjectLiteral,
  type QueryDeepPartialEntity,
  Raw,
} from 'typeorm';
import { send, sendBuilt, type Tx } from '../transaction.ts';

/**
 * The rows that a statement applies to: a value or a `FindOperator` for each column, never all
 * rows.
 */
type Where<Entity> = FindOptionsWhere<Entity>;

/** Values for columns, or expressions in SQL: `() => 'now()'`. */
export type Values<Entity> = { [Column in keyof Entity]?: Entity[Column] | (() => string) };

/** The project that the transaction is restricted to, for a `where`. */
export const currentProject: FindOperator<string> = Raw(
  (column) => `${column} = current_setting('app.project_id')`,
);

/** The time of Postgres's clock, as a value to insert or update. */
export const clockTime = (): string => 'clock_timestamp()';

/** The start of the transaction, as a value to insert or update. */
export const transactionTime = (): string => 'now()';

/** The row's version plus one, as a value to update. */
export const nextVersion = (): string => 'version + 1';

/**
 * Sends an INSERT and does not wait for it, as `send` does. Columns that `rows` leave out take their
 * defaults. Without rows, nothing is sent.
 */
export function sendInsert<Entity extends ObjectLiteral>(
  tx: Tx,
  entity: EntityTarget<Entity>,
  rows: Values<Entity> | Values<Entity>[],
): void {
  if (Array.isArray(rows) && rows.length === 0) return;
  sendBuilt(tx, insertQuery(tx, entity, rows));
}

function insertQuery<Entity extends ObjectLiteral>(
  tx: Tx,
  entity: EntityTarget<Entity>,
  rows: Values<Entity> | Values<Entity>[],
): InsertQueryBuilder<Entity> {
  // TypeORM's own type also descends into JSON documents, whose fields can be anything.
  const values = rows as QueryDeepPartialEntity<Entity> | QueryDeepPartialEntity<Entity>[];
  return tx.createQueryBuilder().insert().into(entity).values(values).updateEntity(false);
}

/**
 * Sends an UPDATE of the rows that match `where` and does not wait for it, as `send` does.
 * @param parameters the values of `:names` in the expressions of `change`
 */
export function sendUpdate<Entity extends ObjectLiteral>(
  tx: Tx,
  entity: EntityTarget<Entity>,
  where: Where<Entity>,
  change: Values<Entity>,
  parameters: ObjectLiteral = {},
): void {
  const values = change as QueryDeepPartialEntity<Entity>;
  const update = tx.createQueryBuilder().update(entity).set(values).where(requireCondition(where));
  sendBuilt(tx, update.setParameters(parameters));
}

/** Sends a DELETE of the rows that match `where` and does not wait for it, as `send` does. */
export function sendDelete<Entity extends ObjectLiteral>(
  tx: Tx,
  entity: EntityTarget<Entity>,
  where: Where<Entity>,
): void {
  const removal = tx.createQueryBuilder().delete().from(entity).where(requireCondition(where));
  sendBuilt(tx, removal);
}

/**
 * Inserts a row unless its key exists, and waits for the result.
 * @returns whether it is new
 */
export async function insertNew<Entity extends ObjectLiteral>(
  tx: Tx,
  entity: EntityTarget<Entity>,
  row: Values<Entity>,
): Promise<boolean> {
  const keys = tx.connection
    .getMetadata(entity)
    .primaryColumns.map((column) => column.propertyName);
  const { raw } = await insertQuery(tx, entity, row).orIgnore().returning(keys).execute();
  return Array.isArray(raw) && raw.length > 0;
}

/** Rejects a condition that the query builder would ignore, as `tx.update` and `tx.delete` do. */
function requireCondition<Entity extends ObjectLiteral>(where: Where<Entity>): Where<Entity> {
  const conditions = Object.entries(where);
  if (conditions.length === 0) throw new Error('An UPDATE or DELETE requires a condition.');
  for (const [column, value] of conditions) {
    if (value == null) throw new Error(`The condition on '${column}' has no value; use IsNull().`);
  }
  return where;
}

/** Rows as one array per column, which `unnest` turns into rows again. */
export function columnsOf<Value>(rows: readonly (readonly Value[])[], width: number): Value[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]!));
}

const selectLists = new WeakMap<object, string>();

/**
 * The columns of an entity's table, including computed ones, named like the properties of the entity. For
 * SQL that reads whole rows as TypeORM would return them, without the cost of building the statement on
 * each call.
 */
export function selectListOf(tx: Tx, entity: new () => object): string {
  const cached = selectLists.get(entity);
  if (cached !== undefined) return cached;
  const { columns, tableName } = tx.connection.getMetadata(entity);
  const list = columns
    .filter(({ isSelect }) => isSelect)
    .map(({ databaseName, propertyName, query }) => {
      const value = query ? `(${query(tableName)})` : `${tableName}."${databaseName}"`;
      return `${value} AS "${propertyName}"`;
    })
    .join(', ');
  selectLists.set(entity, list);
  return list;
}

/**
 * Plans later statements of this transaction by index. For statements that look rows up by key in tables
 * whose size the planner misjudges: because the table is small at the moment, or because of the cost of
 * a random page, it would read the whole table. A statement that joins its parameters
 * must also use `= ANY` on them, because a join may start at either end. The plan is made once, not
 * for every batch, since it does not depend on the values. The role `relay` plans like this by
 * default, with nested loops (`entities/roles.sql`).
 * @param join `loop` for a few rows, one by one; `hash` for hundreds at once
 * @param extraSettings settings as columns, such as `shortLockTimeoutSql`; they override earlier ones
 */
export function planByIndex(
  tx: Tx,
  join: 'loop' | 'hash' = 'loop',
  ...extraSettings: string[]
): void {
  const [hash, loop] = join === 'loop' ? ['off', 'on'] : ['on', 'off'];
  const settings = `set_config('enable_seqscan', 'off', true), set_config('enable_mergejoin', 'off', true),
       set_config('enable_hashjoin', '${hash}', true), set_config('enable_nestloop', '${loop}', true),
       set_config('plan_cache_mode', 'force_generic_plan', true)`;
  send(tx, `SELECT ${[settings, ...extraSettings].join(', ')}`, []);
}

/** Lets later statements of the transaction sort in memory. */
export function sortInMemory(tx: Tx): void {
  send(tx, `SELECT set_config('work_mem', '64MB', true)`, []);
}

/**
 * Plans later statements of the transaction for searches of words. Postgres does not know that reading and
 * comparing a long text takes longer than reading a page. Leaves the other processors to other requests.
 * @param wanted `some` for the first matches, which indexes find; `all` for counts
 */
export function planTextSearch(tx: Tx, wanted: 'some' | 'all'): void {
  const [scans, operatorCost] = wanted === 'some' ? ['off', 0.0025] : ['on', 0.02];
  send(
    tx,
    `SELECT set_config('enable_seqscan', '${scans}', true), set_config('cpu_operator_cost', '${operatorCost}', true),
       set_config('random_page_cost', '1.1', true), set_config('work_mem', '64MB', true),
       set_config('max_parallel_workers_per_gather', '0', true)`,
    [],
  );
}

/**
 * A setting, as a column, for a transaction of several packets that holds locks which all other
 * processes need: if this process is suspended or disconnected, Postgres soon ends the session and
 * releases its locks.
 */
export const shortIdleTimeoutSql = `set_config('idle_in_transaction_session_timeout', '3s', true)`;

/**
 * A setting, as a column, for a transaction that locks rows which are usually locked for milliseconds
 * only: after a second it fails with 55P03, so that its other work is not delayed.
 */
export const shortLockTimeoutSql = `set_config('lock_timeout', '1s', true)`;

/** A statement with one plan for a few rows and another for many. */
export interface StatementVariants {
  few: string;
  many: string;
}

/** Maximum number of rows for the variant for a few. */
const maxFewRows = 32;

/**
 * Creates the variants of a statement that gets a few rows in some calls and a thousand in others. A
 * plan is made once for all values, and one for a few rows would compare each of a thousand rows with
 * every other, so large calls have a separate text and plan.
 */
export function withVariants(text: string): StatementVariants {
  return { few: text, many: `/* many */ ${text}` };
}

/**
 * Returns the text for a number of rows. For many rows, it also makes Postgres plan later statements of
 * the transaction with hash joins.
 */
export function textForRows(tx: Tx, rows: number, statement: StatementVariants): string {
  if (rows <= maxFewRows) return statement.few;
  planByIndex(tx, 'hash');
  return statement.many;
}
