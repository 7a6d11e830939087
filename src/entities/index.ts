import { ApiKey } from './api-key.ts';
import { Attempt } from './attempt.ts';
import { Collection } from './collection.ts';
import { CollectionMember } from './collection-member.ts';
import { Consumer } from './consumer.ts';
import { Delivery } from './delivery.ts';
import { DueDelivery } from './due-delivery.ts';
import { Event } from './event.ts';
import { Idempotency } from './idempotency.ts';
import { Image } from './image.ts';
import { ImageCount, ImageCountDelta } from './image-count.ts';
import { ImageIndexRow } from './image-index-row.ts';
import { ImageWord } from './image-word.ts';
import { InheritedFact } from './inherited-fact.ts';
import { Job } from './job.ts';
import { JobOperation } from './job-operation.ts';
import { JobOutput } from './job-output.ts';
import { JobPage } from './job-page.ts';
import { Tenancy1000000000001 } from './migrations/1-tenancy.ts';
import { Outbox1000000000002 } from './migrations/2-outbox.ts';
import { Webhooks1000000000003 } from './migrations/3-webhooks.ts';
import { Documents1000000000004 } from './migrations/4-documents.ts';
import { Redelivery1000000000005 } from './migrations/5-redelivery.ts';
import { Images1000000000006 } from './migrations/6-images.ts';
import { ImageSearch1000000000007 } from './migrations/7-image-search.ts';
import { Collections1000000000008 } from './migrations/8-collections.ts';
import { Policies1000000000009 } from './migrations/9-policies.ts';
import { Uploads1000000000010 } from './migrations/10-uploads.ts';
import { ObjectSearch1000000000011 } from './migrations/11-object-search.ts';
import { Sweep1000000000014 } from './migrations/14-sweep.ts';
import { Bounds1000000000015 } from './migrations/15-bounds.ts';
import { WebhookSettings1000000000016 } from './migrations/16-webhook-settings.ts';
import { DueDeliveries1000000000017 } from './migrations/17-due-deliveries.ts';
import { Consumers1000000000018 } from './migrations/18-consumers.ts';
import { Neighbour1000000000019 } from './migrations/19-neighbour.ts';
import { Replays1000000000020 } from './migrations/20-replays.ts';
import { SealedHeaders1000000000021 } from './migrations/21-sealed-headers.ts';
import { DroppedSequences1000000000022 } from './migrations/22-dropped-sequences.ts';
import { Redactions1000000000023 } from './migrations/23-redactions.ts';
import { Labels1000000000024 } from './migrations/24-labels.ts';
import { InheritedRedactions1000000000025 } from './migrations/25-inherited-redactions.ts';
import { Operations1000000000026 } from './migrations/26-operations.ts';
import { Quotas1000000000029 } from './migrations/29-quotas.ts';
import { TrustedReadings1000000000030 } from './migrations/30-trusted-readings.ts';
import { ObjectText1000000000031 } from './migrations/31-object-text.ts';
import { PortalSessions1000000000032 } from './migrations/32-portal-sessions.ts';
import { Channels1000000000033 } from './migrations/33-channels.ts';
import { LibraryFilters1000000000035 } from './migrations/35-library-filters.ts';
import { TagFolding1000000000037 } from './migrations/37-tag-folding.ts';
import { Admission1000000000038 } from './migrations/38-admission.ts';
import { SettledAsExpected1000000000040 } from './migrations/40-settled-as-expected.ts';
import { FirstAttempts1000000000042 } from './migrations/42-first-attempts.ts';
import { UnpublishedStretches1000000000043 } from './migrations/43-unpublished-stretches.ts';
import { TaskIndexes1000000000044 } from './migrations/44-task-indexes.ts';
import { FinishTask1000000000045 } from './migrations/45-finish-task.ts';
import { CheaperWrites1000000000046 } from './migrations/46-cheaper-writes.ts';
import { LeaseLost1000000000050 } from './migrations/50-lease-lost.ts';
import { PlainAdmission1000000000051 } from './migrations/51-plain-admission.ts';
import { KnownStates1000000000052 } from './migrations/52-known-states.ts';
import { ObjectHold } from './object-hold.ts';
import { ObjectIndex } from './object-index.ts';
import { ObjectText } from './object-text.ts';
import { ObjectVariant } from './object-variant.ts';
import { PolicyRow } from './policy.ts';
import { Project } from './project.ts';
import { QueuePause } from './queue-pause.ts';
import { RedactionFact } from './redaction-fact.ts';
import { Rendition } from './rendition.ts';
import { Replay } from './replay.ts';
import { SequenceCounter } from './sequence-counter.ts';
import { StoredObject } from './stored-object.ts';
import { Task } from './task.ts';
import { Upload } from './upload.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';
import { WebhookFlow } from './webhook-flow.ts';
import { Worker } from './worker.ts';

export const entities = [
  ApiKey,
  Attempt,
  Collection,
  CollectionMember,
  Consumer,
  Delivery,
  DueDelivery,
  Event,
  Idempotency,
  Image,
  ImageCount,
  ImageCountDelta,
  ImageIndexRow,
  ImageWord,
  InheritedFact,
  Job,
  JobOperation,
  JobOutput,
  JobPage,
  ObjectHold,
  ObjectIndex,
  ObjectText,
  ObjectVariant,
  PolicyRow,
  Project,
  QueuePause,
  RedactionFact,
  Rendition,
  Replay,
  SequenceCounter,
  StoredObject,
  Task,
  Upload,
  WebhookEndpoint,
  WebhookFlow,
  Worker,
];

export const migrations = [
  Tenancy1000000000001,
  Outbox1000000000002,
  Webhooks1000000000003,
  Documents1000000000004,
  Redelivery1000000000005,
  Images1000000000006,
  ImageSearch1000000000007,
  Collections1000000000008,
  Policies1000000000009,
  Uploads1000000000010,
  ObjectSearch1000000000011,
  Sweep1000000000014,
  Bounds1000000000015,
  WebhookSettings1000000000016,
  DueDeliveries1000000000017,
  Consumers1000000000018,
  Neighbour1000000000019,
  Replays1000000000020,
  SealedHeaders1000000000021,
  DroppedSequences1000000000022,
  Redactions1000000000023,
  Labels1000000000024,
  InheritedRedactions1000000000025,
  Operations1000000000026,
  Quotas1000000000029,
  TrustedReadings1000000000030,
  ObjectText1000000000031,
  PortalSessions1000000000032,
  Channels1000000000033,
  LibraryFilters1000000000035,
  TagFolding1000000000037,
  Admission1000000000038,
  SettledAsExpected1000000000040,
  FirstAttempts1000000000042,
  UnpublishedStretches1000000000043,
  TaskIndexes1000000000044,
  FinishTask1000000000045,
  CheaperWrites1000000000046,
  LeaseLost1000000000050,
  PlainAdmission1000000000051,
  KnownStates1000000000052,
];
