/** The groups of operations, in order of display. */
export const tags: Record<string, string> = {
  Service: 'Limits, usage, the capabilities of document jobs, and this document.',
  Projects: 'The project of the request: its name, and its deletion.',
  'API keys':
    'Keys of the project with their scopes, allowed IP ranges and expiry. The secret is returned only on creation. A key can grant only the permissions that it has.',
  Members:
    'The people who sign in to the portal, their roles, and invitations. A role is a named set of scopes; members can grant only the scopes that they have.',
  Objects:
    'Files of any type. Upload them in one request, tag and search them, download them whole or in ranges, share them with signed URLs, trash and restore them.',
  Uploads:
    'Resumable uploads in several requests, with the tus protocol 1.0 and its extensions creation, termination, expiration and checksum.',
  Images:
    'Image files with their properties. Search them by text, tags and dimensions, edit one or many at once, and display them in several sizes.',
  Search: 'One search over objects and images, with the passage that matches.',
  Collections:
    'Ordered sets of images and objects, arranged in a tree. A smart collection contains all images that match a search.',
  Shares:
    'Links that show an object or a collection to people without a key, or let them upload files. Policies apply to every use.',
  Documents:
    'Jobs that process documents page by page: OCR, redaction of personal data, classification, and text for language models.',
  Presets:
    'Named lists of operations, to start the same kind of job again. `GET /v1/capabilities` lists those of the service.',
  'Human review':
    'Decisions of people about the findings of document jobs. A job with the option `review` waits until its review is submitted.',
  Packs:
    'Archives of many documents for language models, with chunks that can be cited, and the citations.',
  'Security policies':
    'Rules for what may be uploaded, read, downloaded, signed, processed and deleted. Denied requests get 403 `policy_denied` with a remedy.',
  'Retention rules':
    'Rules that delete objects a number of days after their creation or their last job, or keep them from being deleted by other rules.',
  Erasures:
    'Removal of values, such as the name of a person, from everything that a project stores: search, check, confirm.',
  Events:
    'Every change in the project, ordered by `sequence` without gaps. Read them in pages, by long polling, as a stream or as an export.',
  'Event consumers':
    'Named readers of the event feed. The service stores their position: read, process, commit.',
  Webhooks:
    'Endpoints that receive signed events, with retries for three days. Inspect deliveries, and replay missed events.',
};

/** The tag of the document’s webhooks, one per event type. */
export const eventTag = 'Events sent to webhooks';
export const eventTagDescription =
  'The messages that a webhook receives, by event type. Respond with any 2xx within 15 seconds.';

/**
 * The description of a tag. Throws for an undescribed tag, so that such a route fails at startup.
 */
export function describeTag(name: string): { name: string; description: string } {
  const description = tags[name];
  if (description === undefined) {
    throw new Error(`The tag '${name}' has no description in src/api/openapi/tags.ts.`);
  }
  return { name, description };
}
