import type { Origin } from '@scriptorium/contracts/origin';
import { referenceNotFound, validationFailed } from '@scriptorium/contracts/problems';
import type { PolicyDraft } from '@scriptorium/contracts/wire/policies';
import type {
  Candidate,
  EvaluateRequest,
  Evaluation,
} from '@scriptorium/contracts/wire/policy-decisions';
import { postgresTime } from '../db/postgres-time.ts';
import type { Tx } from '../db/transaction.ts';
import { Image } from '../entities/images/image.ts';
import { decide, type Policy } from './decision/decide.ts';
import {
  type Facts,
  type Hold,
  known,
  knownUnlessNull,
  notApplicable,
} from './decision/fact-table.ts';
import { factsAt } from './facts/facts-at.ts';
import { loadFacts, type ObjectFacts, pagesOf, pixelsOf } from './facts/load.ts';
import { requireIpAddress } from './ip-address.ts';
import { loadPolicies } from './queries.ts';
import { findPolicy } from './store.ts';
import { checkDraft } from './validate.ts';

/**
 * Decides an action by the project's policies and by drafts of policies, without doing or recording
 * anything. A resource that does not exist is denied.
 * @throws Problem 422 for a draft of an unknown policy and for an invalid question
 */
export async function evaluate(
  tx: Tx,
  origin: Origin,
  request: EvaluateRequest,
): Promise<Evaluation> {
  const { action, resource, candidate, context } = request;
  if ((resource === undefined) === (candidate === undefined)) {
    const detail = `Send exactly one of 'resource' and 'candidate'.`;
    throw validationFailed([{ pointer: '/resource', code: 'one_of', detail }]);
  }
  const address = context?.address ?? origin.address;
  requireIpAddress(address);
  const policies = await applyDrafts(
    tx,
    origin,
    await loadPolicies(tx, origin.projectId, action),
    request.with ?? [],
  );
  const at = context?.at ? new Date(context.at) : new Date(postgresTime());
  const subject = resource
    ? await loadSubject(tx, origin, resource, at)
    : { objectId: null, holds: [], facts: candidateFacts(candidate ?? {}) };
  if (!subject) return unknownResource(resource!.id);
  const url = context?.signed_url;
  const facts: Facts = {
    ...subject.facts,
    address: knownUnlessNull(address),
    time: known(at),
    signing: known(url ? { signed: true, ttlSeconds: url.ttl_seconds } : { signed: false }),
  };
  // The URL to create is signed. Without a lifetime in the request, rules about it pass.
  if (action === 'sign' && !url) facts.signing = known({ signed: true, ttlSeconds: 0 });
  const { objectId, holds } = subject;
  return decide(policies, { action, facts, holds, objectId });
}

/** Drafts replace the policies that they name; other policies still apply. */
async function applyDrafts(
  tx: Tx,
  origin: Origin,
  policies: Policy[],
  drafts: readonly PolicyDraft[],
): Promise<Policy[]> {
  const merged = new Map(policies.map((policy) => [policy.id, policy]));
  for (const [index, { id, ...draft }] of drafts.entries()) {
    const pointer = `/with/${index}`;
    if (id !== undefined && !(await findPolicy(tx, origin.projectId, id))) {
      throw referenceNotFound(`${pointer}/id`, id);
    }
    const checked = await checkDraft(tx, origin.projectId, draft, { at: pointer });
    const name = id ?? `draft_${index + 1}`;
    merged.set(name, { ...checked, id: name });
  }
  return [...merged.values()];
}

interface Subject {
  objectId: string | null;
  facts: ObjectFacts;
  holds: Hold[];
}

async function loadSubject(
  tx: Tx,
  origin: Origin,
  resource: NonNullable<EvaluateRequest['resource']>,
  at: Date,
): Promise<Subject | null> {
  const objectId =
    resource.type === 'object'
      ? resource.id
      : await objectOfImage(tx, origin.projectId, resource.id);
  const [loaded] = objectId ? await loadFacts(tx, origin.projectId, [objectId]) : [];
  if (!loaded) return null;
  return { ...loaded, facts: factsAt(loaded.facts, at) };
}

/**
 * Returns the evaluation of an unknown resource. It is the same for a resource of another project.
 */
function unknownResource(id: string): Evaluation {
  const violation = {
    policy_id: null,
    rule_type: null,
    code: 'resource_not_found' as const,
    detail: `'${id}' does not exist.`,
    parameters: {},
    remedy: null,
  };
  return { decision: 'deny', violations: [violation], obligations: [], denials_observed: [] };
}

async function objectOfImage(tx: Tx, projectId: string, imageId: string): Promise<string | null> {
  const where = { projectId, id: imageId };
  const image = await tx.findOne(Image, { select: { objectId: true }, where });
  return image?.objectId ?? null;
}

function candidateFacts(candidate: Candidate): ObjectFacts {
  const { mime, traits, bytes, pixels, pages, labels, tags } = candidate;
  return {
    mime: knownUnlessNull(mime ?? null),
    traits: knownUnlessNull(traits ?? null),
    sourceTypes: known([]),
    bytes: knownUnlessNull(bytes ?? null),
    // Without a value, the type determines whether the fact applies.
    pixels: pixels === undefined && mime ? pixelsOf(mime, null) : knownUnlessNull(pixels ?? null),
    pages: pages === undefined && mime ? pagesOf(mime, null) : knownUnlessNull(pages ?? null),
    labels: knownUnlessNull(labels ?? null),
    tags: knownUnlessNull(tags ?? null),
    collections: notApplicable,
    ageDays: known(0),
    redactions: known({ covers: [], outputs: [] }),
    unreviewed: known([]),
  };
}
