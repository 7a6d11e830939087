import { setTimeout as delay } from 'node:timers/promises';
import { createRateLimits } from '../../../src/access/rate-limits.ts';
import { startApi, type TestApi } from '../../../test/support/api.ts';
import { makeFixtures } from '../../../test/support/fixtures.ts';
import { makeProbes, type Probe } from './probes.ts';
import { type Overheard, type Tampering, tamper } from './tamper.ts';
import { plantTwins } from './twins.ts';

/** The time limit of a probe: statements that lost a condition may never end. */
const patienceMs = 20_000;

/** A probe that got no response in time, which proves nothing. */
export const noAnswer = Symbol('no answer');

/** The response to a probe, and its statements to Postgres. */
interface Seen {
  answer: string;
  status: number;
  overheard: Overheard;
}

/** An API with two projects, whose statements can be modified. */
export interface IsolationBench {
  api: TestApi;
  tampering: Tampering;
  /** The probes, with their responses to unmodified statements. */
  probes: { probe: Probe; expected: Seen; isStable: boolean }[];
  /** The tables in which the other project has a twin of each row of the first. */
  twins: string[];
  /** The unexpected difference in a response or in the other project, if any. */
  differs(one: IsolationBench['probes'][number]): Promise<string | typeof noAnswer | null>;
  close(): Promise<void>;
}

export async function openIsolationBench(): Promise<IsolationBench> {
  const api = await startApi({
    settings: { trustProxy: true },
    deps: () => ({ rateLimits: createRateLimits(null, () => Date.now() * 1_000) }),
  });
  const mine = await makeFixtures(api, api);
  const theirs = await makeFixtures(api, api.other);
  const twins = await plantTwins(api);
  const fingerprint = await makeFingerprint(api);
  const [atRest] = await api.rows<object>(fingerprint);
  const known = new Set([...Object.values(mine), ...Object.values(theirs)]);
  const tampering = tamper(fingerprint, JSON.stringify(atRest));

  const ask = async ({ method, path, body }: Probe): Promise<Seen> => {
    const overheard = tampering.listen();
    const headers = {
      'x-request-id': 'same',
      ...(method === 'GET' || method === 'POST' ? {} : { 'if-match': '*' }),
    };
    const given = { headers, ...(body === undefined ? {} : { body }) };
    const answer = await Promise.race([
      api.call(method, path, given).catch(() => null),
      delay(patienceMs, null, { ref: false }),
    ]);
    // Failed or endless: the result of a statement was unusable.
    if (!answer) return { answer: '', status: 0, overheard };
    return { answer: plain(answer.text, known), status: answer.status, overheard };
  };

  const probes: IsolationBench['probes'] = [];
  for (const probe of makeProbes(mine, theirs)) {
    const expected = await ask(probe);
    if (expected.status >= 500 || expected.status === 0)
      throw new Error(`${probe.name}: ${expected.answer}`);
    probes.push({ probe, expected, isStable: (await ask(probe)).answer === expected.answer });
  }
  return {
    api,
    tampering,
    probes,
    twins,
    differs: async ({ probe, expected, isStable }) =>
      difference(await ask(probe), expected, isStable),
    close: async () => {
      tampering.stop();
      await api.close();
    },
  };
}

/** The difference from the expected result; null if they agree. */
export function difference(
  seen: Seen,
  expected: Seen,
  isStable: boolean,
): string | typeof noAnswer | null {
  const { status, answer, overheard } = seen;
  const [wrote, writes] = [overheard.wroteToOther, expected.overheard.wroteToOther];
  if (wrote && !writes) return 'it changed the other project';
  // A busy machine is as likely a reason as an endless statement.
  if (status === 0) return noAnswer;
  if (writes && !wrote) return 'it left the other project';
  if (status !== expected.status)
    return `${expected.status} became ${status}: ${answer.slice(0, 200)}`;
  return isStable && answer !== expected.answer ? 'the answer changed' : null;
}

/**
 * A function that counts, as a superuser, the rows of the other project and those that the current
 * transaction wrote; returns the statement that calls it.
 */
async function makeFingerprint(api: TestApi): Promise<string> {
  const tables = await api.rows<{ name: string }>(`
    SELECT c.relname AS name FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id' AND NOT a.attisdropped
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition`);
  const parts = tables.map(
    ({ name }) => `SELECT xmin FROM "${name}" WHERE project_id = '${api.other.projectId}'`,
  );
  await api.rows(`
    CREATE FUNCTION other_project_at_rest() RETURNS text LANGUAGE sql SECURITY DEFINER AS $body$
      SELECT count(*) || ' ' || count(*) FILTER (WHERE xmin = pg_current_xact_id_if_assigned()::xid)
      FROM (${parts.join(' UNION ALL ')}) t
    $body$`);
  await api.rows('GRANT EXECUTE ON FUNCTION other_project_at_rest() TO PUBLIC');
  return 'SELECT other_project_at_rest() AS rows';
}

/** A text without the parts that differ between responses. */
function plain(text: string, known: ReadonlySet<string>): string {
  return text
    .replace(/\b[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, (id) => (known.has(id) ? id : 'ID'))
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .replace(/"(?:api_key|secret|url|prefix|next_cursor|signature|public_key|etag)":"[^"]*"/g, '')
    .replace(/"(?:lag_seconds|age_seconds|\w*_ms|duration_seconds)":[\d.]+/g, '');
}
