/** What each group of operations is about, in the order in which they are shown. */
export const tags: Record<string, string> = {
  Service: 'What holds for everybody: limits, what document jobs can do, this document.',
  'API keys':
    'Keys of the project, with the scopes, addresses and time they are good for. A key is shown once, when it is made; it can only give what it has.',
  Objects:
    'Files of any kind: uploaded in one request, described, searched, downloaded whole or in ranges, lent by signed URLs, put in the trash and brought back.',
  Uploads:
    'Uploads that go on after a break, in as many requests as it takes: the tus protocol 1.0 with creation, termination, expiration and checksum.',
  Images:
    'Objects that are pictures, with what is known of them: searched by words, tags and measures, edited one or many at once, shown in several sizes.',
  Collections:
    'Members in an order of their own, in a tree; or all images that a search finds, then called smart.',
  Documents:
    'Jobs that read documents page by page: recognise text, take personal data out, say what a document is, make it ready for language models.',
  'Security policies':
    'What may be uploaded, read, downloaded, signed, processed and deleted, by rules. What a policy refuses is 403 `policy_denied`, with what would help.',
  Events:
    'The outbox: every change, in the order of its `sequence`, without gaps. Read by pages, by waiting, as a stream or as an export.',
  'Event consumers': 'Readers whose position is kept here: read, do the work, commit.',
  Webhooks:
    'Endpoints that events are sent to, signed and tried again for three days; what became of each delivery; sending again what was missed.',
};

/** The webhooks of the document: one for each type of event that may be sent. */
export const eventTag = 'Events sent to webhooks';
export const eventTagDescription =
  'What arrives at the URL of a webhook, by type of event. Any 2xx within 15 seconds confirms it.';

/** The description of a tag. A route with a tag that is not described does not start. */
export function describeTag(name: string): { name: string; description: string } {
  const description = tags[name];
  if (description === undefined) {
    throw new Error(`The tag '${name}' has no description: src/api/openapi/tags.ts.`);
  }
  return { name, description };
}
