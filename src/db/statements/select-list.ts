import type { Tx } from '../transaction.ts';

const lists = new WeakMap<object, string>();

/**
 * The columns of an entity's table, computed ones included, under the entity's property names, for SQL
 * that reads whole rows: they arrive as TypeORM would return them, without the cost of building the
 * statement on each call.
 */
export function selectListOf(tx: Tx, entity: new () => object): string {
  const known = lists.get(entity);
  if (known !== undefined) return known;
  const { columns, tableName } = tx.connection.getMetadata(entity);
  const list = columns
    .filter(({ isSelect }) => isSelect)
    .map(({ databaseName, propertyName, query }) => {
      const value = query ? `(${query(tableName)})` : `${tableName}."${databaseName}"`;
      return `${value} AS "${propertyName}"`;
    })
    .join(', ');
  lists.set(entity, list);
  return list;
}
