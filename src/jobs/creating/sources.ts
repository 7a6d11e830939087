import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Policy } from '../../policies/decision/decide.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { enforceEach } from '../../policies/enforce.ts';
import { loadPolicies } from '../../policies/queries.ts';
import { type JobRequest, type NamedSource, type Source, sourceProblem } from './check.ts';

type JudgedSource = NamedSource &
  ({ source: FoundSource; problem: null } | { source: null; problem: Problem });

export interface FoundSource extends Source {
  /** The start of the transaction: the value of `now()` in all rows that it writes. */
  now: Date;
}

/** The reads that decide whether jobs can be created on sources. */
export type SourceReads = { found: Promise<FoundSource[]>; policies: Promise<Policy[]> };

/** Sends the queries for sources and for the policies about processing, without waiting. */
export function sendSourceReads(
  tx: Tx,
  projectId: string,
  objectIds: readonly string[],
): SourceReads {
  // A prepared statement with an array would be planned on every call, because Postgres expects ten
  // elements.
  const [condition, idParameter] =
    objectIds.length === 1 ? ['= $2', objectIds[0]] : ['= ANY($2)', objectIds];
  return {
    found: prepared<FoundSource>(
      tx,
      `SELECT id, state, mime, pages, now() FROM object WHERE project_id = $1 AND id ${condition}`,
      [projectId, idParameter],
    ),
    policies: loadPolicies(tx, projectId, 'process'),
  };
}

/** Decides for each source whether the job can be created, in three queries in total. */
export async function judgeSources(
  tx: Tx,
  origin: Origin,
  { sources, ...request }: JobRequest & { sources?: SourceReads | null },
  namedSources: readonly NamedSource[],
): Promise<JudgedSource[]> {
  const ids = namedSources.map(({ id }) => id);
  const reads = sources ?? sendSourceReads(tx, origin.projectId, ids);
  const [found, policies] = await Promise.all([reads.found, reads.policies]);
  const byId = new Map(found.map((source) => [source.id, source]));
  const attempt = { action: 'process', objectIds: [...byId.keys()] } as const;
  const { denied } = await enforceEach(tx, origin, attempt, policies);
  return namedSources.map((namedSource): JudgedSource => {
    const source = byId.get(namedSource.id);
    const problem = sourceProblem(request, namedSource, source, denied.get(namedSource.id));
    // A missing source has no other problem.
    return problem || !source
      ? { ...namedSource, source: null, problem: problem! }
      : { ...namedSource, source, problem: null };
  });
}

/** Returns one problem for a rejected batch: the most serious one, with a fault for each source. */
export function batchProblem(
  rejected: readonly { pointer: string; problem: Problem }[],
  total: number,
): Problem {
  const errors = rejected.map(({ pointer, problem: { code, message, errors: [fault] = [] } }) => ({
    ...(fault ?? { code, detail: message }),
    pointer,
  }));
  const codes = [
    'reference_not_found',
    'validation_failed',
    'pages_out_of_range',
    'policy_denied',
    'state_conflict',
  ];
  const [mostSerious] = rejected.toSorted(
    (a, b) => codes.indexOf(a.problem.code) - codes.indexOf(b.problem.code),
  );
  const { problem } = mostSerious!;
  if (problem instanceof PolicyDenied) return new PolicyDenied(problem.denial, errors);
  const detail =
    rejected.length === 1
      ? problem.message
      : `${rejected.length} of ${total} objects cannot be processed; no job was created.`;
  return new Problem(problem.code, detail, { errors });
}
