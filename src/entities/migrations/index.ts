import { Tenancy1000000000001 } from './1-tenancy.ts';
import { Outbox1000000000002 } from './2-outbox.ts';
import { Webhooks1000000000003 } from './3-webhooks.ts';
import { Documents1000000000004 } from './4-documents.ts';
import { Redelivery1000000000005 } from './5-redelivery.ts';
import { Images1000000000006 } from './6-images.ts';
import { ImageSearch1000000000007 } from './7-image-search.ts';
import { Collections1000000000008 } from './8-collections.ts';
import { Policies1000000000009 } from './9-policies.ts';
import { Uploads1000000000010 } from './10-uploads.ts';
import { ObjectSearch1000000000011 } from './11-object-search.ts';
import { Sweep1000000000014 } from './14-sweep.ts';
import { Bounds1000000000015 } from './15-bounds.ts';
import { WebhookSettings1000000000016 } from './16-webhook-settings.ts';
import { DueDeliveries1000000000017 } from './17-due-deliveries.ts';
import { Consumers1000000000018 } from './18-consumers.ts';
import { Neighbour1000000000019 } from './19-neighbour.ts';
import { Replays1000000000020 } from './20-replays.ts';
import { SealedHeaders1000000000021 } from './21-sealed-headers.ts';
import { DroppedSequences1000000000022 } from './22-dropped-sequences.ts';
import { Redactions1000000000023 } from './23-redactions.ts';
import { Labels1000000000024 } from './24-labels.ts';
import { InheritedRedactions1000000000025 } from './25-inherited-redactions.ts';
import { Operations1000000000026 } from './26-operations.ts';
import { Quotas1000000000029 } from './29-quotas.ts';
import { TrustedReadings1000000000030 } from './30-trusted-readings.ts';
import { ObjectText1000000000031 } from './31-object-text.ts';
import { PortalSessions1000000000032 } from './32-portal-sessions.ts';
import { Channels1000000000033 } from './33-channels.ts';
import { LibraryFilters1000000000035 } from './35-library-filters.ts';
import { TagFolding1000000000037 } from './37-tag-folding.ts';
import { Admission1000000000038 } from './38-admission.ts';
import { SettledAsExpected1000000000040 } from './40-settled-as-expected.ts';
import { FirstAttempts1000000000042 } from './42-first-attempts.ts';
import { UnpublishedStretches1000000000043 } from './43-unpublished-stretches.ts';
import { TaskIndexes1000000000044 } from './44-task-indexes.ts';
import { FinishTask1000000000045 } from './45-finish-task.ts';
import { CheaperWrites1000000000046 } from './46-cheaper-writes.ts';
import { LeaseLost1000000000050 } from './50-lease-lost.ts';
import { PlainAdmission1000000000051 } from './51-plain-admission.ts';
import { KnownStates1000000000052 } from './52-known-states.ts';
import { OwnText1000000000053 } from './53-own-text.ts';
import { Members1000000000060 } from './60-members.ts';
import { PeopleSignIn1000000000061 } from './61-people-sign-in.ts';
import { ActorNames1000000000062 } from './62-actor-names.ts';
import { Reviews1000000000065 } from './65-reviews.ts';
import { Attachments1000000000066 } from './66-attachments.ts';
import { Certificates1000000000067 } from './67-certificates.ts';
import { ReviewedFacts1000000000068 } from './68-reviewed-facts.ts';
import { PageImages1000000000070 } from './70-page-images.ts';
import { Packs1000000000071 } from './71-packs.ts';
import { PacksInProgress1000000000074 } from './74-packs-in-progress.ts';
import { PackCounts1000000000075 } from './75-pack-counts.ts';
import { ForgetPeople1000000000076 } from './76-forget-people.ts';
import { ReviewedText1000000000077 } from './77-reviewed-text.ts';
import { Presets1000000000079 } from './79-presets.ts';
import { Shares1000000000080 } from './80-shares.ts';
import { WebhookStats1000000000083 } from './83-webhook-stats.ts';
import { ObjectsByType1000000000085 } from './85-objects-by-type.ts';
import { ObjectCounts1000000000090 } from './90-object-counts.ts';
import { ImagePlaces1000000000092 } from './92-image-places.ts';
import { SortedLists1000000000094 } from './94-sorted-lists.ts';
import { UsageDays1000000000095 } from './95-usage-days.ts';
import { Downloads1000000000096 } from './96-downloads.ts';
import { DerivedCounts1000000000097 } from './97-derived-counts.ts';
import { EventsByType1000000000098 } from './98-events-by-type.ts';
import { DeliveriesByType1000000000099 } from './99-deliveries-by-type.ts';
import { FailedDeliveries1000000000100 } from './100-failed-deliveries.ts';
import { PeopleWithoutTime1000000000101 } from './101-people-without-time.ts';
import { PartlyClassified1000000000105 } from './105-partly-classified.ts';
import { InheritedTypes1000000000106 } from './106-inherited-types.ts';
import { ObjectChanges1000000000107 } from './107-object-changes.ts';
import { Collations1000000000110 } from './110-collations.ts';
import { Rejections1000000000111 } from './111-rejections.ts';
import { BoardPauses1000000000112 } from './112-board-pauses.ts';
import { PictureUsage1000000000113 } from './113-picture-usage.ts';
import { SleepingMemberships1000000000114 } from './114-sleeping-memberships.ts';

/** In the order in which they run. */
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
  OwnText1000000000053,
  Members1000000000060,
  PeopleSignIn1000000000061,
  ActorNames1000000000062,
  Reviews1000000000065,
  Attachments1000000000066,
  Certificates1000000000067,
  ReviewedFacts1000000000068,
  PageImages1000000000070,
  Packs1000000000071,
  PacksInProgress1000000000074,
  PackCounts1000000000075,
  ForgetPeople1000000000076,
  ReviewedText1000000000077,
  Presets1000000000079,
  Shares1000000000080,
  WebhookStats1000000000083,
  ObjectsByType1000000000085,
  ObjectCounts1000000000090,
  ImagePlaces1000000000092,
  SortedLists1000000000094,
  UsageDays1000000000095,
  Downloads1000000000096,
  DerivedCounts1000000000097,
  EventsByType1000000000098,
  DeliveriesByType1000000000099,
  FailedDeliveries1000000000100,
  PeopleWithoutTime1000000000101,
  PartlyClassified1000000000105,
  InheritedTypes1000000000106,
  ObjectChanges1000000000107,
  Collations1000000000110,
  Rejections1000000000111,
  BoardPauses1000000000112,
  PictureUsage1000000000113,
  SleepingMemberships1000000000114,
];
