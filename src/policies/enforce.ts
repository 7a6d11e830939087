import type { Origin } from '@scriptorium/contracts/origin';
import { notFound } from '@scriptorium/contracts/problems';
import type { PolicyAction, Trait } from '@scriptorium/contracts/rules';
import type { Decision } from '@scriptorium/contracts/wire/policy-decisions';
import { postgresTime } from '../db/postgres-time.ts';
import type { Tx } from '../db/transaction.ts';
import { decide, type Policy } from './decision/decide.ts';
import {
  type Facts,
  known,
  knownUnlessNull,
  notApplicable,
  type Signing,
  unknown,
} from './decision/fact-table.ts';
import { type Denial, type DeniedFile, PolicyDenied, recordDenial } from './denials.ts';
import { lockScopes } from './facts/holds.ts';
import { loadFacts, loadShownFacts, type ObjectFacts, pagesOf, pixelsOf } from './facts/load.ts';
import { loadPolicies } from './queries.ts';

/** An action on a stored object. */
export interface ObjectAction {
  action: Exclude<PolicyAction, 'upload'>;
  objectId: string;
  /** How the bytes are requested. Default: with a key. */
  signing?: Signing;
  /** A worker has no address and no time of a request, so rules about these pass. */
  by?: 'request' | 'worker';
  /**
   * For `read`: whether the caller can show the redaction instead (obligation `serve_redacted`).
   */
  replaceable?: boolean;
}

const allowAll: Decision = {
  decision: 'allow',
  violations: [],
  obligations: [],
  denials_observed: [],
};

/**
 * Checks an attempt against the project's policies, and records denials of policies in audit mode. Runs
 * one query if no policy applies to the action, otherwise two.
 * @returns the decision, with the obligations of a delivery; `pending` if a rule waits for facts
 * @throws PolicyDenied (403), which the frame records in a separate transaction
 */
export async function enforce(tx: Tx, origin: Origin, attempt: ObjectAction): Promise<Decision> {
  const decision = await decideAction(tx, origin, attempt);
  if (decision.decision === 'deny') {
    throw new PolicyDenied(denialOf(attempt.action, attempt.objectId, decision));
  }
  return decision;
}

/** The same action on many objects. */
export interface BulkAction extends Pick<ObjectAction, 'signing' | 'replaceable'> {
  action: Exclude<PolicyAction, 'upload' | 'delete' | 'download'>;
  objectIds: readonly string[];
  /** The object shown in place of this one, such as its redaction; the object itself by default. */
  shownObjectIds?: ReadonlyMap<string, string>;
}

/** The objects that policies deny, or allow only as their redaction. */
interface Restrictions {
  /** The denials, by object. */
  denied: Map<string, PolicyDenied>;
  /** The objects for which the redaction may be shown instead (obligation `serve_redacted`). */
  redacted: Set<string>;
}

/**
 * Checks the same action on many objects, with as many queries as for one. Records no denials, and
 * skips objects that do not exist.
 * @param policies those that apply to the action (`loadPolicies`)
 */
export async function enforceEach(
  tx: Tx,
  origin: Origin,
  { action, objectIds, shownObjectIds, signing, replaceable = false }: BulkAction,
  policies: readonly Policy[],
): Promise<Restrictions> {
  const denied = new Map<string, PolicyDenied>();
  const redacted = new Set<string>();
  if (policies.length === 0) return { denied, redacted };
  const loaded = await loadShownFacts(tx, origin.projectId, objectIds, shownObjectIds);
  for (const { objectId, facts, holds } of loaded) {
    const completeFacts = { ...facts, ...requestFacts(origin, 'request', signing) };
    const decision = decide(policies, {
      action,
      facts: completeFacts,
      holds,
      objectId,
      replaceable,
    });
    const denial = denialOf(action, objectId, decision);
    if (decision.decision === 'deny') denied.set(objectId, new PolicyDenied(denial));
    else await recordObserved(tx, origin, denial, decision);
    if (redactionIn(decision)) redacted.add(objectId);
  }
  return { denied, redacted };
}

/** The redaction that a decision allows in place of the object, or null. */
export function redactionIn({ obligations }: Decision): string | null {
  const redaction = obligations.find((one) => one.type === 'serve_redacted');
  return redaction?.object_id ?? null;
}

/**
 * Like `enforce`, for workers: their transaction continues and also contains the denial's event.
 */
export async function decideAction(
  tx: Tx,
  origin: Origin,
  attempt: ObjectAction,
): Promise<Decision> {
  const { action, objectId, by = 'request' } = attempt;
  // A deletion cannot be undone, so it must see every hold that is already committed.
  if (action === 'delete') lockScopes(tx, origin.projectId, 'shared');
  const policies = await loadPolicies(tx, origin.projectId, action);
  if (policies.length === 0) return allowAll;
  const [object] = await loadFacts(tx, origin.projectId, [objectId]);
  if (!object) {
    // The object was purged after the request found it: its bytes may still exist, but its facts are
    // unknown.
    if (action === 'download') throw notFound('object', objectId);
    // For other actions, nothing remains to be protected.
    return allowAll;
  }
  const facts = { ...object.facts, ...requestFacts(origin, by, attempt.signing) };
  const { replaceable = false } = attempt;
  const question = { action, facts, holds: object.holds, objectId, replaceable };
  const decision = decide(policies, question);
  await recordObserved(tx, origin, denialOf(action, objectId, decision), decision);
  if (by === 'worker' && decision.decision === 'deny') {
    await recordDenial(tx, origin, 'denied', denialOf(action, objectId, decision));
  }
  return decision;
}

/**
 * Decides a download by a signed URL for any client at any time, since the address and time of the URL's
 * creation do not matter for its use. Records nothing.
 */
export async function decideSignedDownload(
  tx: Tx,
  projectId: string,
  objectId: string,
  signing: Signing,
): Promise<Decision> {
  return decideForAnyClient(tx, projectId, { action: 'download', objectId, signing });
}

/**
 * Decides whether an object or its redaction may be shown to any client at any time. Records
 * nothing.
 */
export async function decideAnonymousRead(
  tx: Tx,
  projectId: string,
  objectId: string,
): Promise<Decision> {
  return decideForAnyClient(tx, projectId, { action: 'read', objectId, replaceable: true });
}

/** Decides the deletion of an object that no request asks for. Records nothing. */
export async function decideDeletion(
  tx: Tx,
  projectId: string,
  objectId: string,
): Promise<Decision> {
  return decideForAnyClient(tx, projectId, { action: 'delete', objectId });
}

/** Decides the processing of an object by a worker. Records nothing. */
export async function decideProcessing(
  tx: Tx,
  projectId: string,
  objectId: string,
): Promise<Decision> {
  return decideForAnyClient(tx, projectId, { action: 'process', objectId });
}

async function decideForAnyClient(
  tx: Tx,
  projectId: string,
  { action, objectId, signing = { signed: false }, replaceable = false }: ObjectAction,
): Promise<Decision> {
  const policies = await loadPolicies(tx, projectId, action);
  if (policies.length === 0) return allowAll;
  const [object] = await loadFacts(tx, projectId, [objectId]);
  if (!object) throw notFound('object', objectId);
  const anyClientFacts = { address: notApplicable, time: notApplicable };
  const facts = { ...object.facts, ...anyClientFacts, signing: known(signing) };
  return decide(policies, { action, facts, holds: object.holds, objectId, replaceable });
}

/** The facts of an upload so far; omitted facts are not known yet. */
export interface UploadFacts {
  mime?: string;
  traits?: readonly Trait[];
  bytes?: number;
  pixels?: number;
  pages?: number;
  tags?: readonly string[];
}

/** An upload by a request, or one whose file a worker has examined. */
export interface UploadAction {
  objectId: string | null;
  facts: UploadFacts;
  /** Identifies the file in the record of a denial. */
  file: DeniedFile;
  by?: 'request' | 'worker';
}

/**
 * Checks a requested upload against the facts known so far, before a transaction is open. An
 * undecided upload continues.
 * @throws PolicyDenied (403)
 */
export function rejectDeniedUpload(
  policies: readonly Policy[],
  origin: Origin,
  facts: UploadFacts,
  file: DeniedFile,
): void {
  const upload = { objectId: null, facts, file };
  const decision = evaluateUpload(policies, origin, upload);
  if (decision.decision === 'deny') throw new PolicyDenied(uploadDenial(upload, decision));
}

/** Decides an upload by policies, without recording anything. */
function evaluateUpload(
  policies: readonly Policy[],
  origin: Origin,
  { objectId, facts, by = 'request' }: Omit<UploadAction, 'file'>,
): Decision {
  return decide(policies, {
    action: 'upload',
    facts: { ...toObjectFacts(facts), ...requestFacts(origin, by) },
    holds: [],
    objectId,
  });
}

/**
 * Checks an upload that has arrived against the project's policies, as `enforce` does.
 * @throws PolicyDenied (403)
 */
export async function enforceUpload(
  tx: Tx,
  origin: Origin,
  upload: UploadAction,
): Promise<Decision> {
  const decision = await decideUpload(tx, origin, upload);
  if (decision.decision !== 'deny') return decision;
  throw new PolicyDenied(uploadDenial(upload, decision));
}

/** Like `enforceUpload`, for a caller that continues after a denial and records it. */
export async function decideUpload(
  tx: Tx,
  origin: Origin,
  upload: UploadAction,
): Promise<Decision> {
  const policies = await loadPolicies(tx, origin.projectId, 'upload');
  const decision = evaluateUpload(policies, origin, upload);
  await recordObserved(tx, origin, uploadDenial(upload, decision), decision);
  return decision;
}

function toObjectFacts(facts: UploadFacts): ObjectFacts {
  const { mime, traits, bytes, tags } = facts;
  const [pixels, pages] = [facts.pixels ?? null, facts.pages ?? null];
  return {
    mime: knownUnlessNull(mime ?? null),
    traits: knownUnlessNull(traits ?? null),
    sourceTypes: notApplicable,
    bytes: knownUnlessNull(bytes ?? null),
    pixels: mime === undefined ? unknown : pixelsOf(mime, pixels),
    pages: mime === undefined ? unknown : pagesOf(mime, pages),
    labels: unknown,
    tags: knownUnlessNull(tags ?? null),
    collections: notApplicable,
    ageDays: known(0),
    redactions: notApplicable,
    unreviewed: notApplicable,
  };
}

function requestFacts(
  origin: Origin,
  by: 'request' | 'worker',
  signing: Signing = { signed: false },
): Pick<Facts, 'address' | 'time' | 'signing'> {
  return by === 'worker'
    ? { address: notApplicable, time: notApplicable, signing: notApplicable }
    : {
        address: knownUnlessNull(origin.address),
        time: known(new Date(postgresTime())),
        signing: known(signing),
      };
}

function denialOf(action: PolicyAction, resourceId: string | null, decision: Decision): Denial {
  const { violations, denials_observed: observed } = decision;
  return { action, resourceId, violations, observed };
}

/** The record of an upload that policies deny. */
export function uploadDenial(
  { objectId, file }: Pick<UploadAction, 'objectId' | 'file'>,
  decision: Decision,
): Denial {
  return { ...denialOf('upload', objectId, decision), file };
}

async function recordObserved(
  tx: Tx,
  origin: Origin,
  denial: Denial,
  { denials_observed: violations }: Decision,
): Promise<void> {
  if (violations.length === 0) return;
  await recordDenial(tx, origin, 'denial_observed', { ...denial, violations });
}
