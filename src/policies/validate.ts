import { type Fault, referenceNotFound, validationFailed } from '@scriptorium/contracts/problems';
import {
  type PolicyAction,
  type PolicyRule,
  rules as ruleTypes,
} from '@scriptorium/contracts/rules';
import type { PolicyCreate, PolicyScope, PolicyWhen } from '@scriptorium/contracts/wire/policies';
import ipaddr from 'ipaddr.js';
import { In } from 'typeorm';
import type { Tx } from '../db/transaction.ts';
import { Collection } from '../entities/library/collection.ts';
import { isTimeZone } from './decision/time-window.ts';

/** A valid draft in its stored form. */
export interface CheckedDraft extends Omit<PolicyCreate, 'when'> {
  when: PolicyWhen | null;
}

/**
 * Checks the conditions that the schema of a draft cannot express, and reports all faults at once.
 * @param basePointer the JSON pointer of the draft in the body
 * @throws Problem 422
 */
export async function checkDraft(
  tx: Tx,
  projectId: string,
  draft: PolicyCreate,
  { at = '', referencesChecked = false }: { at?: string; referencesChecked?: boolean } = {},
): Promise<CheckedDraft> {
  const faults: Fault[] = [];
  const scope = cleanScope(draft.scope, `${at}/scope`, faults);
  for (const [index, rule] of draft.rules.entries()) {
    const pointer = `${at}/rules/${index}`;
    faults.push(...ruleFaults(rule, pointer), ...actionFaults(rule, draft.actions, pointer));
  }
  if (faults.length > 0) throw validationFailed(faults);
  if (scope.type === 'collection' && !referencesChecked) {
    await requireManualCollections(tx, projectId, scope.ids, `${at}/scope/ids`);
  }
  return { ...draft, scope, when: cleanWhen(draft.when) };
}

/** @throws Problem 422 for a collection that does not exist or is smart */
async function requireManualCollections(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
  pointer: string,
): Promise<void> {
  const rows = await tx.find(Collection, {
    select: { id: true, kind: true },
    where: { projectId, id: In([...ids]) },
  });
  const kinds = new Map(rows.map(({ id, kind }) => [id, kind]));
  const faults: Fault[] = [];
  for (const [at, id] of ids.entries()) {
    if (!kinds.has(id)) throw referenceNotFound(`${pointer}/${at}`, id);
    if (kinds.get(id) === 'manual') continue;
    const detail = 'A smart collection cannot be the scope of a policy.';
    faults.push({ pointer: `${pointer}/${at}`, code: 'smart_collection', detail });
  }
  if (faults.length > 0) throw validationFailed(faults);
}

/** Tags in their stored form: NFKC, trimmed, without duplicates. */
function cleanScope(scope: PolicyScope, pointer: string, faults: Fault[]): PolicyScope {
  if (scope.type !== 'tag') return scope;
  const tags = scope.tags.map((tag) => tag.normalize('NFKC').trim());
  for (const [at, tag] of tags.entries()) {
    if (tag !== '') continue;
    const detail = 'A tag must have at least 1 character.';
    faults.push({ pointer: `${pointer}/tags/${at}`, code: 'too_short', detail });
  }
  return { type: 'tag', tags: [...new Set(tags)] };
}

/** Null without any condition. */
function cleanWhen(when: PolicyCreate['when']): PolicyWhen | null {
  return when && (when.mime || when.labels) ? when : null;
}

function ruleFaults(rule: PolicyRule, pointer: string): Fault[] {
  switch (rule.type) {
    case 'allowed_mime_types':
      return rule.include || rule.exclude
        ? []
        : [{ pointer, code: 'required', detail: `'include' or 'exclude' is required.` }];
    case 'ip_allow':
    case 'ip_deny':
      return rule.cidrs.flatMap((cidr, at) =>
        ipaddr.isValidCIDR(cidr)
          ? []
          : [
              {
                pointer: `${pointer}/cidrs/${at}`,
                code: 'invalid_cidr',
                detail: 'It must be an IP address range, such as 192.0.2.0/24 or 2001:db8::/32.',
              },
            ],
      );
    case 'time_window':
      return isTimeZone(rule.time_zone)
        ? []
        : [
            {
              pointer: `${pointer}/time_zone`,
              code: 'unknown_time_zone',
              detail: 'It must be an IANA time zone, such as Europe/Lisbon.',
            },
          ];
    default:
      return [];
  }
}

/** The fault of a rule that applies to none of the actions. */
function actionFaults(
  rule: PolicyRule,
  actions: readonly PolicyAction[],
  pointer: string,
): Fault[] {
  const ruleActions: readonly PolicyAction[] = ruleTypes[rule.type].actions;
  if (actions.some((action) => ruleActions.includes(action))) return [];
  return [
    {
      pointer: `${pointer}/type`,
      code: 'rule_not_applicable',
      detail: `\`${rule.type}\` applies to these actions only: ${ruleActions.join(', ')}.`,
      allowed: ruleActions,
    },
  ];
}
