import type { Tx } from './transaction.ts';

const lists = new WeakMap<object, string>();

/**
 * The columns of an entity's table, each called what the entity calls it: the rows of a statement that
 * selects them are what TypeORM would read, without its making the statement anew each time.
 */
export function selectListOf(tx: Tx, entity: new () => object): string {
  const known = lists.get(entity);
  if (known !== undefined) return known;
  const { columns, tableName } = tx.connection.getMetadata(entity);
  const list = columns
    .map(({ databaseName, propertyName }) => `${tableName}."${databaseName}" AS "${propertyName}"`)
    .join(', ');
  lists.set(entity, list);
  return list;
}
