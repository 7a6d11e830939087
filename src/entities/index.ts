import { ApiKey } from './access/api-key.ts';
import { DenialMarker } from './access/denial.ts';
import { Idempotency } from './access/idempotency.ts';
import { Invitation } from './access/invitation.ts';
import { Member } from './access/member.ts';
import { Person } from './access/person.ts';
import { PortalSession } from './access/portal-session.ts';
import { Project } from './access/project.ts';
import { EmbeddingEndpoint } from './embeddings/embedding-endpoint.ts';
import { PassageEmbedding } from './embeddings/passage-embedding.ts';
import { ProjectEmbedding } from './embeddings/project-embedding.ts';
import { Erasure } from './erasure/erasure.ts';
import { ErasureResource } from './erasure/erasure-resource.ts';
import { ProjectDeletion } from './erasure/project-deletion.ts';
import { RetentionRule } from './erasure/retention-rule.ts';
import { City } from './images/city.ts';
import { Image } from './images/image.ts';
import { ImageCount } from './images/image-count.ts';
import { ImageCountDelta } from './images/image-count-delta.ts';
import { ImageIndexRow } from './images/image-index-row.ts';
import { ImagePlace } from './images/image-place.ts';
import { ImageWord } from './images/image-word.ts';
import { Rendition } from './images/rendition.ts';
import { CertificateKey } from './jobs/certificate-key.ts';
import { Job } from './jobs/job.ts';
import { JobOperation } from './jobs/job-operation.ts';
import { JobOutput } from './jobs/job-output.ts';
import { JobPage } from './jobs/job-page.ts';
import { Preset } from './jobs/preset.ts';
import { Collection } from './library/collection.ts';
import { CollectionMember } from './library/collection-member.ts';
import { ObjectCount } from './library/object-count.ts';
import { ObjectCountDelta } from './library/object-count-delta.ts';
import { ObjectDownload } from './library/object-download.ts';
import { ObjectIndex } from './library/object-index.ts';
import { ObjectText } from './library/object-text.ts';
import { ObjectVariant } from './library/object-variant.ts';
import { Passage } from './library/passage.ts';
import { Share } from './library/share.ts';
import { StoredObject } from './library/stored-object.ts';
import { Upload } from './library/upload.ts';
import { Channel } from './outbox/channel.ts';
import { Consumer } from './outbox/consumer.ts';
import { Event } from './outbox/event.ts';
import { QueuePause } from './outbox/queue-pause.ts';
import { SequenceCounter } from './outbox/sequence-counter.ts';
import { Task } from './outbox/task.ts';
import { UnpublishedStretch } from './outbox/unpublished-stretch.ts';
import { Worker } from './outbox/worker.ts';
import { Pack } from './packs/pack.ts';
import { PackDocument } from './packs/pack-document.ts';
import { InheritedFact } from './policies/inherited-fact.ts';
import { ObjectHold } from './policies/object-hold.ts';
import { PolicyRow } from './policies/policy.ts';
import { ProjectQuota } from './policies/project-quota.ts';
import { RedactionFact } from './policies/redaction-fact.ts';
import { UsageCount } from './policies/usage-count.ts';
import { UsageDay } from './policies/usage-day.ts';
import { UsageDelta } from './policies/usage-delta.ts';
import { Finding } from './reviews/finding.ts';
import { Review } from './reviews/review.ts';
import { ReviewCount } from './reviews/review-count.ts';
import { ReviewText } from './reviews/review-text.ts';
import { Attempt } from './webhooks/attempt.ts';
import { Delivery } from './webhooks/delivery.ts';
import { DueDelivery } from './webhooks/due-delivery.ts';
import { LaterAttempt } from './webhooks/later-attempt.ts';
import { Replay } from './webhooks/replay.ts';
import { WebhookEndpoint } from './webhooks/webhook-endpoint.ts';
import { WebhookFlow } from './webhooks/webhook-flow.ts';
import { WebhookStat } from './webhooks/webhook-stat.ts';
import { WebhookTally } from './webhooks/webhook-tally.ts';

/**
 * All tables, and the views that are read through TypeORM. Tables that only SQL writes have entities,
 * too: `test/db/entities.test.ts` compares each with the migrated schema.
 */
export const entities = [
  ApiKey,
  Attempt,
  CertificateKey,
  Channel,
  Collection,
  CollectionMember,
  Consumer,
  Delivery,
  DueDelivery,
  EmbeddingEndpoint,
  Erasure,
  ErasureResource,
  Event,
  Finding,
  Idempotency,
  City,
  Image,
  ImageCount,
  ImageCountDelta,
  ImageIndexRow,
  ImagePlace,
  ImageWord,
  InheritedFact,
  Invitation,
  Job,
  JobOperation,
  JobOutput,
  JobPage,
  Preset,
  LaterAttempt,
  Member,
  DenialMarker,
  ObjectCount,
  ObjectCountDelta,
  ObjectDownload,
  ObjectHold,
  ObjectIndex,
  ObjectText,
  ObjectVariant,
  Passage,
  PassageEmbedding,
  Person,
  Pack,
  PackDocument,
  PolicyRow,
  PortalSession,
  Project,
  ProjectDeletion,
  ProjectEmbedding,
  ProjectQuota,
  QueuePause,
  RedactionFact,
  Rendition,
  Replay,
  RetentionRule,
  Review,
  ReviewCount,
  ReviewText,
  SequenceCounter,
  Share,
  StoredObject,
  Task,
  UnpublishedStretch,
  Upload,
  UsageCount,
  UsageDay,
  UsageDelta,
  WebhookEndpoint,
  WebhookFlow,
  WebhookStat,
  WebhookTally,
  Worker,
];
