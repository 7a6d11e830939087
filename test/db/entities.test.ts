import { expect } from 'chai';
import type { EntityMetadata } from 'typeorm';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { entities } from '../../src/entities/index.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

/** A column of the migrated schema, or as an entity declares it. */
interface Described {
  name: string;
  type: string;
  nullable: boolean;
  default: string | null;
  /** How a generated column is computed. */
  computed: string | null;
  isKey: boolean;
  isIdentity: boolean;
}

interface CatalogueColumn extends Described {
  table: string;
  isView: boolean;
}

/** Tables that TypeORM manages itself. */
const ofTypeOrm = ['migration', 'typeorm_metadata'];

/** Views without an entity, and why. */
const viewsInSqlOnly: Record<string, string> = {
  image_search: 'It is searched with operators that TypeORM does not know.',
  image_word_search: 'It is searched with operators that TypeORM does not know.',
  image_source: 'Triggers and the rebuilding of the index read it.',
  object_search: 'It is searched with operators that TypeORM does not know.',
  passage_search: 'It is searched with operators that TypeORM does not know.',
};

/** Tables without a primary key, and why. Their entities name the columns that identify a row. */
const withoutKey: Record<string, string> = {
  delivery:
    'Rows are found by event or by endpoint; another index would cost every delivery a write.',
};

describe('entities', () => {
  let database: DatabaseFixture;
  let catalogue: Map<string, CatalogueColumn[]>;
  before(async () => {
    database = await openDatabaseFixture();
    catalogue = new Map();
    for (const column of await readCatalogue(database)) {
      catalogue.set(column.table, [...(catalogue.get(column.table) ?? []), column]);
    }
  });
  after(() => database.close());

  const metadataOf = (entity: new () => object): EntityMetadata =>
    database.owner.getMetadata(entity);

  it('describe every table and view once', () => {
    const described = entities.map((entity) => metadataOf(entity).tableName);
    expect(described).to.have.length(new Set(described).size);
    const missing = [...catalogue.keys()].filter((table) => !described.includes(table));
    expect(missing).to.have.members([...ofTypeOrm, ...Object.keys(viewsInSqlOnly)]);
  });

  it('lack a primary key only if the table has none', () => {
    const keyless = [...catalogue]
      .filter(([, columns]) => !columns[0]!.isView && !columns.some(({ isKey }) => isKey))
      .map(([table]) => table);
    expect(keyless).to.have.members([...Object.keys(withoutKey), 'typeorm_metadata']);
  });

  for (const entity of entities) {
    it(`declare the columns of ${entity.name} as migrated`, () => {
      const metadata = metadataOf(entity);
      const table = metadata.tableName;
      const columns = catalogue.get(table) ?? [];
      const declared = declaredColumns(database, metadata);
      if (metadata.tableType === 'view') {
        expect(namesOf(declared)).to.have.members(namesOf(columns));
        return;
      }
      const shown = table in withoutKey ? declared.map(withoutIsKey) : declared;
      expect(shown.map(ddlOf).sort()).to.deep.equal(columns.map(ddlOf).sort());
    });
  }
});

function namesOf(columns: readonly Described[]): string[] {
  return columns.map(({ name }) => name);
}

function withoutIsKey(column: Described): Described {
  return { ...column, isKey: false };
}

/** A column in one line, for a readable difference. */
function ddlOf(column: Described): string {
  return [
    column.name,
    column.type,
    column.nullable ? 'NULL' : 'NOT NULL',
    ...(column.default === null ? [] : ['DEFAULT', column.default]),
    ...(column.computed === null ? [] : ['GENERATED', column.computed]),
    ...(column.isIdentity ? ['IDENTITY'] : []),
    ...(column.isKey ? ['KEY'] : []),
  ].join(' ');
}

function declaredColumns(database: DatabaseFixture, { columns }: EntityMetadata): Described[] {
  const { driver } = database.owner;
  return columns
    .filter(({ isVirtualProperty }) => !isVirtualProperty)
    .map((column) => ({
      name: column.databaseName,
      type: driver.normalizeType(column) + (column.isArray ? '[]' : ''),
      nullable: column.isNullable,
      default:
        typeof column.default === 'number'
          ? String(column.default)
          : (driver.normalizeDefault(column) ?? null),
      computed: column.asExpression === undefined ? null : plain(column.asExpression),
      isKey: column.isPrimary,
      isIdentity: column.isGenerated,
    }));
}

/** All columns of the service's tables and views. A partition is described by its table. */
async function readCatalogue(database: DatabaseFixture): Promise<CatalogueColumn[]> {
  const rows = await inTransaction(database.owner, (tx) =>
    query<CatalogueColumn & { isComputed: boolean }>(
      tx,
      `SELECT c.relname AS "table", c.relkind IN ('v', 'm') AS "isView", a.attname AS name,
         format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable,
         pg_get_expr(d.adbin, d.adrelid) AS "default", a.attgenerated <> '' AS "isComputed",
         coalesce(a.attnum = ANY((i.indkey::smallint[])[0:i.indnkeyatts - 1]), false) AS "isKey", a.attidentity <> '' AS "isIdentity"
       FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
       LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
         AND NOT c.relispartition AND NOT EXISTS (SELECT FROM pg_depend e
           WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')`,
      [],
    ),
  );
  return rows.map(({ isComputed, ...column }) => {
    const expression = column.default === null ? null : plain(column.default);
    return {
      ...column,
      default: isComputed ? null : expression,
      computed: isComputed ? expression : null,
    };
  });
}

/** An expression without casts, outer parentheses and line breaks. */
function plain(expression: string): string {
  return expression
    .replaceAll(/::[a-z]+(?: [a-z]+)*(?:\[\])?/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^\((.*)\)$/, '$1');
}
