import { inflateSync } from 'node:zlib';

type QueryRows = <Row extends object>(sql: string) => Promise<Row[]>;

/**
 * The whole content of a database, row by row, with its place: as text, and every binary value also
 * as its decoded and its decompressed text. `rows` queries as a superuser.
 */
export async function* everyText(rows: QueryRows): AsyncGenerator<{ text: string; where: string }> {
  const tables = await rows<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname = 'public'`,
  );
  for (const { name } of tables) {
    for (const { row } of await rows<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)) {
      yield { text: row, where: name };
      for (const [, hex] of row.matchAll(/\\x((?:[0-9a-f]{2})+)/g)) {
        const bytes = Buffer.from(hex!, 'hex');
        yield { text: bytes.toString('latin1'), where: `bytes of ${name}` };
        const text = tryInflate(bytes);
        if (text !== null) yield { text, where: `inflated ${name}` };
      }
    }
  }
}

/**
 * Returns the text of deflated bytes; null for others. Hashes and sealed values may begin like a
 * zlib header.
 */
function tryInflate(bytes: Buffer): string | null {
  if (bytes[0] !== 0x78) return null;
  try {
    return inflateSync(bytes).toString('utf8');
  } catch {
    return null;
  }
}
