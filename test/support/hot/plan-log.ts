import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { TestDatabase } from '../services.ts';

/** A step of a plan, as `auto_explain` logs it. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/** A scan or a join that ran within a statement. */
export interface Scan {
  /** The statement, also one within a function. */
  statement: string;
  node: string;
  /** The table and, if it was read by one, the index. */
  source: string;
  /** The number of pages it examined, without those of its subplans. */
  pages: number;
  rows: number;
  /** The number of rows it read in vain. */
  removed: number;
  loops: number;
}

/** The plans of all statements in a database, those within functions included. */
export interface PlanLog {
  /** The scans of all statements that run during some work. */
  scansDuring(work: () => Promise<void>): Promise<Scan[]>;
  close(): Promise<void>;
}

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_parameter_max_length': '0',
  'auto_explain.log_format': 'json',
};

/** Logs plans of every connection that is opened to a database from now on. */
export async function logPlans(database: TestDatabase): Promise<PlanLog> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`ALTER DATABASE ${database.name} SET ${name} = '${value}'`);
  }
  // What the test asks itself is not of interest.
  await client.query(
    `ALTER ROLE CURRENT_USER IN DATABASE ${database.name} SET auto_explain.log_min_duration = -1`,
  );
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const path = join(rows[0]!.data_directory, 'server.log');
  await client.query(`LOAD 'auto_explain'`);
  const log = async (milliseconds: number): Promise<void> => {
    await client.query(`ALTER SYSTEM SET auto_explain.log_min_duration = ${milliseconds}`);
    await client.query('SELECT pg_reload_conf()');
  };
  return {
    async scansDuring(work) {
      const from = (await stat(path)).size;
      await log(0);
      try {
        await work();
      } finally {
        await log(-1);
      }
      return plansIn(await readFrom(path, from)).flatMap(({ text, plan }) =>
        scansOf(plan).map((scan) => ({ statement: text, ...scan })),
      );
    },
    async close() {
      await client.query('ALTER SYSTEM RESET auto_explain.log_min_duration');
      await client.query('SELECT pg_reload_conf()');
      await client.end();
    },
  };
}

async function readFrom(path: string, position: number): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read({ buffer: Buffer.alloc(size - position), position });
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}

/** The lines of an entry after its first begin with a tab. */
function plansIn(log: string): { text: string; plan: PlanNode }[] {
  return [...log.matchAll(/duration: [\d.]+ ms {2}plan:\n(\t\{\n(?:\t.*\n)+)/g)].map(
    ([, entry]) => {
      const logged: { 'Query Text': string; Plan: PlanNode } = JSON.parse(
        entry!.replaceAll(/\n\t/g, '\n'),
      );
      return { text: logged['Query Text'].replaceAll(/\s+/g, ' ').trim(), plan: logged.Plan };
    },
  );
}

const ignoredNodes = new Set(['ModifyTable', 'LockRows', 'Limit', 'Append']);

function scansOf(node: PlanNode): Omit<Scan, 'statement'>[] {
  const children = node.Plans ?? [];
  const childScans = children.flatMap(scansOf);
  const loops = node['Actual Loops'];
  const removedRows = node['Rows Removed by Filter'] ?? node['Rows Removed by Join Filter'] ?? 0;
  const isScan = node['Relation Name'] !== undefined || node['Index Name'] !== undefined;
  if ((!isScan && removedRows === 0) || ignoredNodes.has(node['Node Type']) || loops === 0)
    return childScans;
  const scan = {
    node: node['Node Type'],
    source: [node['Relation Name'], node['Index Name']].filter((name) => name).join(' by '),
    pages: pagesOf(node) - children.reduce((sum, one) => sum + pagesOf(one), 0),
    rows: node['Actual Rows'] * loops,
    removed: removedRows * loops,
    loops,
  };
  return [scan, ...childScans];
}

function pagesOf(node: PlanNode): number {
  return node['Shared Hit Blocks'] + node['Shared Read Blocks'];
}
