import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Policy } from '../../policies/decision/decide.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { enforceEach } from '../../policies/enforce.ts';
import { loadPolicies } from '../../policies/queries.ts';
import { type JobRequest, type NamedSource, type Source, sourceProblem } from './check.ts';

type Judged = NamedSource &
  ({ source: FoundSource; problem: null } | { source: null; problem: Problem });

export interface FoundSource extends Source {
  /** The start of the transaction: the value of `now()` in all rows that it writes. */
  now: Date;
}

/** The reads that decide whether jobs can be created on sources. */
export type SourcesAhead = { found: Promise<FoundSource[]>; policies: Promise<Policy[]> };

/** Sends the queries for sources and for the policies about processing, without waiting. */
export function askForSources(
  tx: Tx,
  projectId: string,
  objectIds: readonly string[],
): SourcesAhead {
  // A prepared statement with an array would be planned on every call, because Postgres expects ten
  // elements.
  const [condition, wanted] =
    objectIds.length === 1 ? ['= $2', objectIds[0]] : ['= ANY($2)', objectIds];
  return {
    found: prepared<FoundSource>(
      tx,
      `SELECT id, state, mime, pages, now() FROM object WHERE project_id = $1 AND id ${condition}`,
      [projectId, wanted],
    ),
    policies: loadPolicies(tx, projectId, 'process'),
  };
}

/** Decides for each source whether the job can be created, in three queries in total. */
export async function judgeSources(
  tx: Tx,
  origin: Origin,
  { sources, ...request }: JobRequest & { sources?: SourcesAhead | null },
  named: readonly NamedSource[],
): Promise<Judged[]> {
  const ids = named.map(({ id }) => id);
  const asked = sources ?? askForSources(tx, origin.projectId, ids);
  const [found, policies] = await Promise.all([asked.found, asked.policies]);
  const byId = new Map(found.map((source) => [source.id, source]));
  const attempt = { action: 'process', objectIds: [...byId.keys()] } as const;
  const { denied } = await enforceEach(tx, origin, attempt, policies);
  return named.map((one): Judged => {
    const source = byId.get(one.id);
    const problem = sourceProblem(request, one, source, denied.get(one.id));
    // A missing source has no other problem.
    return problem || !source
      ? { ...one, source: null, problem: problem! }
      : { ...one, source, problem: null };
  });
}

/** One problem for a rejected batch: the most serious one, with a fault for each source. */
export function problemOfAll(
  rejected: readonly { at: string; problem: Problem }[],
  total: number,
): Problem {
  const errors = rejected.map(({ at, problem: { code, message, errors: [fault] = [] } }) => ({
    ...(fault ?? { code, detail: message }),
    pointer: at,
  }));
  const codes = [
    'reference_not_found',
    'validation_failed',
    'pages_out_of_range',
    'policy_denied',
    'state_conflict',
  ];
  const [gravest] = rejected.toSorted(
    (a, b) => codes.indexOf(a.problem.code) - codes.indexOf(b.problem.code),
  );
  const { problem } = gravest!;
  if (problem instanceof PolicyDenied) return new PolicyDenied(problem.denial, errors);
  const detail =
    rejected.length === 1
      ? problem.message
      : `${rejected.length} of ${total} objects cannot be processed; no job was created.`;
  return new Problem(problem.code, detail, { errors });
}
