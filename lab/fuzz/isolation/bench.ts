import { setTimeout as delay } from 'node:timers/promises';
import { createRateLimits } from '../../../src/access/rate-limits.ts';
import { startApi, type TestApi } from '../../../test/support/api.ts';
import { makeFixtures } from '../../../test/support/fixtures.ts';
import { makeProbes, type Probe } from './probes.ts';
import { type RecordedStatements, type Tampering, tamper } from './tamper.ts';
import { insertTwins } from './twins.ts';

/** The time limit of a probe: statements that lost a condition may never end. */
const probeTimeoutMs = 20_000;

/** A probe that got no response in time, which proves nothing. */
export const noResponse = Symbol('no answer');

/** The response to a probe, and its statements to Postgres. */
interface ProbeResult {
  text: string;
  status: number;
  recorded: RecordedStatements;
}

/** An API with two projects, whose statements can be modified. */
export interface IsolationBench {
  api: TestApi;
  tampering: Tampering;
  /** The probes, with their responses to unmodified statements. */
  probes: { probe: Probe; expected: ProbeResult; isStable: boolean }[];
  /** The tables in which the other project has a twin of each row of the first. */
  twins: string[];
  /** The unexpected difference in a response or in the other project, if any. */
  findDifference(one: IsolationBench['probes'][number]): Promise<string | typeof noResponse | null>;
  close(): Promise<void>;
}

export async function openIsolationBench(): Promise<IsolationBench> {
  const api = await startApi({
    settings: { trustProxy: true },
    deps: () => ({ rateLimits: createRateLimits(null, () => Date.now() * 1_000) }),
  });
  const ownFixtures = await makeFixtures(api, api);
  const otherFixtures = await makeFixtures(api, api.other);
  const twins = await insertTwins(api);
  const fingerprint = await makeFingerprint(api);
  const [unchanged] = await api.rows<object>(fingerprint);
  const knownIds = new Set([...Object.values(ownFixtures), ...Object.values(otherFixtures)]);
  const tampering = tamper(fingerprint, JSON.stringify(unchanged));

  const runProbe = async ({ method, path, body }: Probe): Promise<ProbeResult> => {
    const overheard = tampering.startRecording();
    const headers = {
      'x-request-id': 'same',
      ...(method === 'GET' || method === 'POST' ? {} : { 'if-match': '*' }),
    };
    const options = { headers, ...(body === undefined ? {} : { body }) };
    const response = await Promise.race([
      api.call(method, path, options).catch(() => null),
      delay(probeTimeoutMs, null, { ref: false }),
    ]);
    // Failed or endless: the result of a statement was unusable.
    if (!response) return { text: '', status: 0, recorded: overheard };
    return {
      text: normalise(response.text, knownIds),
      status: response.status,
      recorded: overheard,
    };
  };

  const probes: IsolationBench['probes'] = [];
  for (const probe of makeProbes(ownFixtures, otherFixtures)) {
    const expected = await runProbe(probe);
    if (expected.status >= 500 || expected.status === 0)
      throw new Error(`${probe.name}: ${expected.text}`);
    probes.push({ probe, expected, isStable: (await runProbe(probe)).text === expected.text });
  }
  return {
    api,
    tampering,
    probes,
    twins,
    findDifference: async ({ probe, expected, isStable }) =>
      difference(await runProbe(probe), expected, isStable),
    close: async () => {
      tampering.stop();
      await api.close();
    },
  };
}

/** The difference from the expected result; null if they agree. */
export function difference(
  result: ProbeResult,
  expected: ProbeResult,
  isStable: boolean,
): string | typeof noResponse | null {
  const { status, text: answer, recorded: overheard } = result;
  const [changedOther, changesOther] = [overheard.wroteToOther, expected.recorded.wroteToOther];
  if (changedOther && !changesOther) return 'it changed the other project';
  // A busy machine is as likely a reason as an endless statement.
  if (status === 0) return noResponse;
  if (changesOther && !changedOther) return 'it left the other project';
  if (status !== expected.status)
    return `${expected.status} became ${status}: ${answer.slice(0, 200)}`;
  return isStable && answer !== expected.text ? 'the answer changed' : null;
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
function normalise(text: string, known: ReadonlySet<string>): string {
  return text
    .replace(/\b[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, (id) => (known.has(id) ? id : 'ID'))
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .replace(/"(?:api_key|secret|url|prefix|next_cursor|signature|public_key|etag)":"[^"]*"/g, '')
    .replace(/"(?:lag_seconds|age_seconds|\w*_ms|duration_seconds)":[\d.]+/g, '');
}
