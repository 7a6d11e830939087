import type { EventData, EventTypeName } from '@scriptorium/contracts/events';
import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { channelLabels, contentLabels } from '../../library/downloads/labels.ts';
import { ByDocument, PolicyRef } from './names.tsx';
import {
  codeList,
  denialReasons,
  deniedAction,
  nameLink,
  nameList,
  overlapPhrase,
  pagesFailed,
  personName,
  phrase,
  Quoted,
  quotedList,
  resourceLinks,
  ruleTitle,
  withoutUnderscores,
} from './phrases.tsx';

/** Describes an event as a predicate that follows the actor. `it` is the resource of the event. */
type Sentence<T extends EventTypeName> = (
  data: EventData<T>,
  it: ComponentChildren,
  event: EventRecord,
) => ComponentChildren;

const changedFields = ({ changed }: { changed: string[] }) => nameList(changed);
const quotedName = (filename: string) => <Quoted text={filename} />;

/** Each event type as a sentence. A missing one does not compile. */
const sentences: { [T in EventTypeName]: Sentence<T> } = {
  'dam.object.created': ({ filename, mime, bytes }, _, { resource_id }) =>
    phrase`stored ${nameLink(resource_id, filename)} (${mime}, ${formatBytes(bytes)})`,
  'dam.object.available': ({ filename }, _, { resource_id }) =>
    phrase`made ${nameLink(resource_id, filename)} available`,
  'dam.object.updated': (data, it) => phrase`changed ${changedFields(data)} of ${it}`,
  'dam.object.trashed': (_, it) => phrase`moved ${it} to trash`,
  'dam.object.restored': (_, it) => phrase`restored ${it} from the trash`,
  'dam.object.purged': ({ outputs }, it) => (
    <>
      purged {it} and its bytes
      {outputs.length > 0 && <>; its outputs are kept: {resourceLinks(outputs)}</>}
    </>
  ),
  'dam.object.downloaded': ({ content, via, count, delivered_object_id }, it, { resource_id }) => (
    <>
      downloaded {it}
      {delivered_object_id !== resource_id && (
        <>
          , as its redaction <ResourceLink id={delivered_object_id} />
        </>
      )}{' '}
      ({contentLabels[content]}, {channelLabels[via]}, {pluralise(count, 'request')})
    </>
  ),
  'dam.trash.emptied': ({ purged, held, remaining }) =>
    phrase`emptied the trash: ${purged + remaining} to purge, ${held} kept by policies`,
  'dam.object.rejected': ({ policy_id, rule_type }, it) => (
    <>
      rejected the upload {it}: denied by <PolicyRef id={policy_id} /> ({ruleTitle(rule_type)})
    </>
  ),
  'dam.object.failed': ({ error }, it) =>
    phrase`could not process the upload ${it}: ${error.message}`,
  'dam.image.created': ({ filename }, _, { resource_id }) =>
    phrase`added the picture ${nameLink(resource_id, filename)} to the library`,
  'dam.image.updated': (data, it) => phrase`changed ${changedFields(data)} of ${it}`,
  'dam.image.tags_changed': ({ added, removed }, it) => (
    <>
      changed the tags of {it}:{added.length > 0 && <> added {quotedList(added)}</>}
      {added.length > 0 && removed.length > 0 && ','}
      {removed.length > 0 && <> removed {quotedList(removed)}</>}
    </>
  ),
  'dam.image.trashed': (_, it) => phrase`moved ${it} to trash`,
  'dam.image.restored': (_, it) => phrase`restored ${it} from the trash`,
  'dam.image.purged': (_, it) => phrase`purged ${it} and its renditions`,
  'dam.collection.created': ({ name, kind, parent_id }, _, { resource_id }) => (
    <>
      created the {kind} collection {nameLink(resource_id, name)}
      {parent_id !== null && (
        <>
          , in <ResourceLink id={parent_id} />
        </>
      )}
    </>
  ),
  'dam.collection.updated': (data, it) => phrase`changed ${changedFields(data)} of ${it}`,
  'dam.collection.trashed': (_, it) => phrase`moved ${it} to trash`,
  'dam.collection.restored': (_, it) => phrase`restored ${it} from the trash`,
  'dam.collection.purged': (_, it) => phrase`purged ${it}`,
  'dam.collection_member.added': ({ resource_id }, it) =>
    phrase`added ${<ResourceLink id={resource_id} />} to ${it}`,
  'dam.collection_member.removed': ({ resource_id, reason }, it) => (
    <>
      removed <ResourceLink id={resource_id} /> from {it}
      {reason === 'purged' && ' because it was purged'}
    </>
  ),
  'dam.collection_member.reordered': ({ resource_id }, it) =>
    phrase`moved ${<ResourceLink id={resource_id} />} within ${it}`,
  'dam.share.created': ({ kind, object_id, collection_id }, it) => (
    <>
      created {it}, a link {kind === 'upload' ? 'for uploads' : 'to view'}
      {(object_id ?? collection_id) !== null && (
        <>
          {kind === 'upload' ? ' to ' : ' '}
          <ResourceLink id={object_id ?? collection_id ?? ''} />
        </>
      )}
    </>
  ),
  'dam.share.updated': (data, it) => phrase`changed ${changedFields(data)} of the share ${it}`,
  'dam.share.revoked': (_, it) => phrase`revoked the share ${it}`,
  'dam.share.downloaded': ({ share_id, archive }, it) => (
    <>
      downloaded {it} {archive && 'in an archive '}by the link <ResourceLink id={share_id} />
    </>
  ),
  'dam.policy.created': ({ name, mode }, _, { resource_id }) =>
    phrase`created the policy ${nameLink(resource_id, name)} (${mode})`,
  'dam.policy.updated': (data, it) => phrase`changed ${changedFields(data)} of ${it}`,
  'dam.policy.deleted': ({ name, mode }, _, { resource_id }) =>
    phrase`deleted the policy ${quotedName(name)} (${mode}), ${<span class="mono">{resource_id}</span>}`,
  'dam.policy.denied': (data, it) =>
    phrase`was not allowed to ${deniedAction(data)}: denied by ${it} (${ruleTitle(data.rule_type)})`,
  'dam.policy.denial_observed': (data, it) =>
    phrase`was allowed to ${deniedAction(data)}, which ${it} would deny (${ruleTitle(data.rule_type)})`,
  'documents.job.created': ({ operations }, it) => phrase`requested ${nameList(operations)}: ${it}`,
  'documents.job.started': (_, it) => phrase`started ${it}`,
  'documents.job.progressed': ({ percent, pages_completed, pages_total }, it) =>
    phrase`advanced ${it} to ${percent}% (${pages_completed} of ${pluralise(pages_total, 'page')})`,
  'documents.job.operation_finished': ({ op, state, pages_failed }, it) => (
    <>
      finished <code>{op}</code> of {it}: {withoutUnderscores(state)}
      {pages_failed > 0 && <>, {pagesFailed(pages_failed)}</>}
    </>
  ),
  'documents.job.cancel_requested': (_, it) => phrase`requested cancellation of ${it}`,
  'documents.job.cancelled': (_, it) => phrase`cancelled ${it}`,
  'documents.job.succeeded': ({ outputs }, it) => (
    <>
      finished {it}
      {outputs.length > 0 && <> with {resourceLinks(outputs.map(({ object_id }) => object_id))}</>}
    </>
  ),
  'documents.job.partially_succeeded': ({ pages_failed }, it) =>
    phrase`finished ${it}, but ${pagesFailed(pages_failed)}`,
  'documents.job.failed': ({ error }, it) =>
    phrase`could not finish ${it}${error && phrase`: ${error.message}`}`,
  'documents.job.retried': ({ new_job_id, scope }, it) => (
    <>
      retried {scope === 'all' ? 'all pages' : 'the failed pages'} of {it} in a{' '}
      <ResourceLink id={new_job_id}>new job</ResourceLink>
    </>
  ),
  'documents.job_page.failed': ({ page, op, error }, it) =>
    phrase`could not process page ${page} of ${it} (${<code>{op}</code>}): ${error.message}`,
  'documents.review.requested': ({ op, counts }, it) =>
    phrase`requested ${it}, with ${pluralise(counts.pending, 'finding')} of ${<code>{op}</code>}`,
  'documents.pack.cancel_requested': (_, it) => phrase`requested cancellation of the pack ${it}`,
  'documents.review.released': (_, it) => phrase`released ${it}`,
  'webhooks.delivery.redelivered': ({ webhook_id }, _, { resource_id }) => (
    <>
      requested one more attempt of{' '}
      <Link href={`~/portal/webhooks/${webhook_id}/deliveries/${resource_id}`}>a delivery</Link> to
      the webhook <ResourceLink id={webhook_id} />
    </>
  ),
  'webhooks.deliveries.retried': ({ count }, it) =>
    phrase`retried ${pluralise(count, 'deferred delivery', 'deferred deliveries')} of the webhook ${it}`,
  'webhooks.deliveries.cancelled': ({ count }, it) =>
    phrase`cancelled ${pluralise(count, 'delivery', 'deliveries')} to the webhook ${it}`,
  'dam.object.url_signed': (_, it) => phrase`created a signed URL for ${it}`,
  'events.consumer.created': ({ name }) => phrase`created the consumer ${<bdi>{name}</bdi>}`,
  'events.consumer.changed': ({ from, to }, it) =>
    phrase`moved the consumer ${it} from ${from} to ${to}`,
  'events.consumer.deleted': (_, it) => phrase`deleted the consumer ${it}`,
  'documents.review.claimed': (_, it) => phrase`claimed ${it}`,
  'documents.review.submitted': ({ counts }, it) =>
    phrase`submitted ${it}: ${counts.accepted} accepted, ${counts.rejected} rejected, ${counts.added} added`,
  'documents.review.rejected': (_, it) => phrase`rejected ${it}`,
  'documents.review.expired': (_, it) => phrase`let ${it} expire`,
  'documents.review.decided': ({ decision, findings }, it) =>
    phrase`${decision} ${pluralise(findings, 'finding')} of ${it}`,
  'documents.preset.created': ({ name }) => phrase`created the preset ${<Quoted text={name} />}`,
  'documents.preset.updated': (data, it) => phrase`changed ${changedFields(data)} of ${it}`,
  'documents.preset.deleted': ({ name }) => phrase`deleted the preset ${<Quoted text={name} />}`,
  'documents.pack.created': ({ name, documents_total }, _, { resource_id }) =>
    phrase`requested the pack ${nameLink(resource_id, name)} of ${pluralise(documents_total, 'document')}`,
  'documents.pack.started': (_, it) => phrase`started to build the pack ${it}`,
  'documents.pack.progressed': ({ percent, documents_completed, documents_total }, it) => (
    <>
      advanced the pack {it} to {percent}% ({documents_completed} of{' '}
      {pluralise(documents_total, 'document')})
    </>
  ),
  'documents.pack.succeeded': ({ object_id }, it) =>
    phrase`built the pack ${it}${object_id && phrase` with ${resourceLinks([object_id])}`}`,
  'documents.pack.partially_succeeded': ({ documents_failed, documents_withheld }, it) =>
    phrase`built the pack ${it} without ${pluralise(documents_failed + documents_withheld, 'document')}`,
  'documents.pack.failed': ({ error }, it) =>
    phrase`could not build the pack ${it}${error && phrase`: ${error.message}`}`,
  'documents.pack.cancelled': (_, it) => phrase`cancelled the pack ${it}`,
  'webhooks.endpoint.created': ({ event_types }, it) =>
    phrase`added the webhook ${it} for ${codeList(event_types)}`,
  'webhooks.endpoint.updated': (data, it) =>
    phrase`changed ${changedFields(data)} of the webhook ${it}`,
  'webhooks.endpoint.deleted': (_, it) => phrase`deleted the webhook ${it}`,
  'webhooks.endpoint.paused': (_, it) => phrase`paused the webhook ${it}`,
  'webhooks.endpoint.enabled': (_, it) => phrase`enabled the webhook ${it}`,
  'webhooks.endpoint.disabled': ({ reason }, it) =>
    phrase`disabled the webhook ${it} (${withoutUnderscores(reason)})`,
  'webhooks.endpoint.secret_rotated': ({ overlap_seconds }, it) =>
    phrase`rotated the secret of the webhook ${it}; ${overlapPhrase(overlap_seconds)}`,
  'webhooks.endpoint.tested': ({ outcome, status }, it) =>
    phrase`sent a test to the webhook ${it}: ${outcome}${status !== null && phrase` with ${status}`}`,
  'webhooks.replay.started': ({ webhook_id, matched }) => (
    <>
      started a replay of {pluralise(matched, 'event')} to the webhook{' '}
      <ResourceLink id={webhook_id} />
    </>
  ),
  'webhooks.replay.completed': ({ webhook_id, matched, succeeded, state }) => (
    <>
      {state === 'completed' ? 'completed' : 'cancelled'} a replay to the webhook{' '}
      <ResourceLink id={webhook_id} />: {succeeded} of {matched} delivered
    </>
  ),
  'webhooks.delivery.exhausted': ({ event_id, webhook_id, attempts }) => (
    <>
      gave up delivering <ResourceLink id={event_id} /> to the webhook{' '}
      <ResourceLink id={webhook_id} /> after {pluralise(attempts, 'attempt')}
    </>
  ),
  'access.api_key.created': ({ name, scopes }, _, { resource_id }) =>
    phrase`created the API key ${nameLink(resource_id, name)} with ${codeList(scopes)}`,
  'access.api_key.rolled': ({ new_key_id, overlap_seconds }, it) => (
    <>
      replaced the API key {it} with <ResourceLink id={new_key_id} />;{' '}
      {overlapPhrase(overlap_seconds)}
    </>
  ),
  'access.api_key.updated': (data, it) =>
    phrase`changed ${changedFields(data)} of the API key ${it}`,
  'access.api_key.revoked': (_, it) => phrase`revoked the API key ${it}`,
  'dam.retention_rule.created': (_, it) => phrase`created the retention rule ${it}`,
  'dam.retention_rule.updated': (_, it) => phrase`changed the retention rule ${it}`,
  'dam.retention_rule.deleted': (_, it) => phrase`deleted the retention rule ${it}`,
  'dam.object.expired': ({ rule_id }, it) =>
    phrase`deleted ${it} by the retention rule ${<code>{rule_id}</code>}`,
  'access.erasure.requested': ({ values }, it) =>
    phrase`requested the erasure ${it} of ${pluralise(values, 'value')}`,
  'access.erasure.confirmed': (_, it) => phrase`confirmed the erasure ${it}`,
  'access.erasure.cancelled': (_, it) => phrase`cancelled the erasure ${it}`,
  'access.erasure.finished': ({ erased, kept }, it) =>
    phrase`finished the erasure ${it}: ${pluralise(erased, 'resource')} erased, ${kept} kept`,
  'access.project.updated': (data) => phrase`changed ${changedFields(data)} of the project`,
  'access.project.deletion_requested': () => 'requested the deletion of the project',
  'access.member.added': ({ user_id, name, role, source }) =>
    source === 'invitation' ? (
      phrase`accepted an invitation and became a member with the role ${<code>{role}</code>}`
    ) : (
      <>
        made {personName(user_id, name)} a member with the role <code>{role}</code>
        {source === 'groups' && ', by their groups'}
      </>
    ),
  'access.member.accepted': ({ role }) =>
    phrase`accepted the membership with the role ${<code>{role}</code>}`,
  'access.member.role_changed': ({ user_id, name, from, to, source }) => (
    <>
      changed the role of {personName(user_id, name)} from <code>{from}</code> to <code>{to}</code>
      {source === 'groups' && ', by their groups'}
    </>
  ),
  'access.member.removed': ({ user_id, name, role, source }) => (
    <>
      removed {personName(user_id, name)}, who had the role <code>{role}</code>
      {source === 'groups' && ', by their groups'}
    </>
  ),
  'access.member.invited': ({ role }) =>
    phrase`created an invitation with the role ${<code>{role}</code>}`,
  'access.member.invitation_revoked': ({ role }) =>
    phrase`revoked an invitation with the role ${<code>{role}</code>}`,
  'access.request.denied': ({ code, operation }, _, { actor }) =>
    // The policy and the rule are in a separate record.
    code === 'policy_denied'
      ? phrase`was denied the request ${<code>{operation}</code>} by a policy`
      : phrase`was denied ${<code>{operation}</code>}: ${reasonFor(code, actor)}`,
  'media.vod_job.succeeded': ({ profile }, it) => phrase`finished the video job ${it} (${profile})`,
  'media.vod_job.progressed': ({ profile, progress }, it) =>
    phrase`advanced the video job ${it} (${profile}) to ${progress}%`,
  'media.vod_job.failed': ({ profile, error }, it) =>
    phrase`could not finish the video job ${it} (${profile})${error && phrase`: ${error.message}`}`,
};

/** Returns why a request was denied. People have a role instead of an API key. */
function reasonFor(code: string, actor: EventRecord['actor']): string {
  const reason = denialReasons[code] ?? withoutUnderscores(code);
  return actor.type === 'user' ? reason.replace('API key', 'role') : reason;
}

/** The sentence of an event, without its actor. */
export function EventSentence({ event }: { event: EventRecord }) {
  const { type, resource_id: id } = event;
  const it = type.startsWith('dam.policy.') ? (
    <PolicyRef id={id} />
  ) : type.startsWith('media.') ? (
    // Jobs of another service, for which the portal has no page.
    <span class="mono">{id}</span>
  ) : type.startsWith('documents.job') ? (
    <ByDocument id={id} noun="job" />
  ) : type.startsWith('documents.review.') ? (
    <ByDocument id={id} noun="review" />
  ) : (
    <ResourceLink id={id} />
  );
  if (!hasSentence(type)) {
    return <>{phrase`recorded ${<code>{type}</code>} on ${it}`}</>;
  }
  // The data was validated against the schema of its type when it was recorded.
  const sentence = sentences[type] as Sentence<EventTypeName>;
  return <>{sentence(event.data as EventData<EventTypeName>, it, event)}</>;
}

/** A service newer than this page may record types without a sentence. */
function hasSentence(type: string): type is EventTypeName {
  return Object.hasOwn(sentences, type);
}
