/** Routes that take more round trips to Postgres than one to read or two to write. */
interface Named {
  trips: number;
  why: string;
}

function because(why: string, routes: Record<string, number>): Record<string, Named> {
  return Object.fromEntries(
    Object.entries(routes).map(([operationId, trips]) => [operationId, { trips, why }]),
  );
}

/** The most that each of them may take, and why. */
export const trips: Record<string, Named> = {
  ...because(
    'Checked before it prepares, in a packet of its own; what it prepares asks the database, too.',
    {
      archiveObjects: 10,
      createShare: 6,
      updateShare: 3,
      getDraftImpact: 9,
      getPolicyImpact: 7,
      createWebhook: 8,
      updateWebhook: 4,
      testWebhook: 3,
      cancelDeliveries: 6,
      acknowledgeEvents: 11,
      commitConsumer: 11,
    },
  ),
  ...because(
    'A list queries first which rows it shows, then their content; or first whether the resource in the path exists.',
    {
      listObjects: 2,
      listObjectDownloads: 2,
      listObjectJobs: 3,
      listObjectCollections: 3,
      searchImages: 5,
      listImageCollections: 3,
      listCollectionMembers: 2,
      listJobs: 3,
      listPackDocuments: 2,
      listPackChanges: 2,
      listReviewPages: 2,
      listReviewText: 4,
      listFindings: 4,
      listJobPages: 4,
      getJobPageStates: 2,
      listEventDeliveries: 2,
      listConsumers: 4,
      getConsumer: 3,
      listWebhooks: 2,
      listDeliveries: 2,
      getDelivery: 2,
      listReplays: 2,
    },
  ),
  ...because(
    'Locks the review, then changes what the first answers decide: its findings, its job, its boxes.',
    {
      decideFindings: 5,
      addFindings: 10,
      removeFinding: 4,
      submitReview: 7,
      rejectReview: 5,
    },
  ),
  ...because(
    'Reads through policies, then locks: what the first answers decide is what the next ask.',
    {
      trashObject: 9,
      restoreObject: 4,
      createSignedUrl: 6,
      emptyTrash: 11,
      updateImages: 5,
      updateImage: 5,
      trashImage: 6,
      restoreImage: 6,
      createJobs: 3,
      cancelJob: 4,
      retryJob: 5,
      createPack: 4,
      cancelPack: 6,
      retryPack: 4,
      getCitation: 4,
      createPolicy: 4,
      evaluatePolicies: 5,
      updatePolicy: 3,
      deletePolicy: 3,
    },
  ),
  ...because(
    'The tree and its members are locked in order, each by what the lock before it found.',
    {
      createCollection: 10,
      updateCollection: 6,
      trashCollection: 5,
      restoreCollection: 7,
      addCollectionMember: 8,
      changeCollectionMembers: 9,
      moveCollectionMember: 6,
      removeCollectionMember: 5,
    },
  ),
  ...because(
    'The members are locked first, then what may be granted or removed is read and checked.',
    {
      addMember: 7,
      updateMember: 5,
      removeMember: 4,
      createInvitation: 5,
      revokeInvitation: 4,
    },
  ),
  ...because('The presets are locked first, then the name and their number are checked.', {
    createPreset: 6,
    updatePreset: 6,
    deletePreset: 4,
  }),
  ...because('A preset is read before what it starts is checked; without one there are two.', {
    createJob: 3,
  }),
  ...because('An event or another change tells what the database made of the first one.', {
    rollKey: 3,
    createConsumer: 9,
    deleteConsumer: 3,
    seekConsumer: 6,
    deleteWebhook: 4,
    rotateWebhookSecret: 3,
    disableWebhook: 5,
    redeliver: 6,
    replayWebhook: 8,
    cancelReplay: 7,
  }),
};
