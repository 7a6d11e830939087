import type { Tx } from '../transaction.ts';

const lists = new WeakMap<object, string>();

/**
 * The columns of an entity's table under the entity's property names, for SQL that reads whole rows:
 * they arrive as TypeORM would return them, without the cost of building the statement on each call.
 */
export function selectListOf(tx: Tx, entity: new () => object): string {
  const known = lists.get(entity);
  if (known !== undefined) return known;
  const { columns, tableName } = tx.connection.getMetadata(entity);
  const list = columns
    .filter(({ isVirtualProperty }) => !isVirtualProperty)
    .map(({ databaseName, propertyName }) => `${tableName}."${databaseName}" AS "${propertyName}"`)
    .join(', ');
  lists.set(entity, list);
  return list;
}
