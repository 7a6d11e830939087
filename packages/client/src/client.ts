import { Collections } from './resources/collections.ts';
import { Consumers } from './resources/consumers.ts';
import { Erasures } from './resources/erasures.ts';
import { Events } from './resources/events.ts';
import { Images } from './resources/images.ts';
import { Jobs } from './resources/jobs.ts';
import { Keys } from './resources/keys.ts';
import { Members } from './resources/members.ts';
import { Objects } from './resources/objects.ts';
import { Packs } from './resources/packs.ts';
import { Policies } from './resources/policies.ts';
import { Presets } from './resources/presets.ts';
import { Project } from './resources/project.ts';
import type { Query } from './resources/resource.ts';
import { Retention } from './resources/retention.ts';
import { Reviews } from './resources/reviews.ts';
import { Search } from './resources/search.ts';
import { Shares } from './resources/shares.ts';
import { Uploads } from './resources/uploads.ts';
import { Webhooks } from './resources/webhooks.ts';
import { type ClientOptions, type RequestOptions, Transport } from './transport.ts';

/**
 * A client of the API for one project, with a method per operation:
 *
 *     const client = new Scriptorium({ baseUrl, projectId, apiKey });
 *     const scan = await client.objects.upload(file);
 *     const job = await client.jobs.ocr({ source_object_id: scan.id });
 *     await client.jobs.wait(job.id);
 *
 * All errors are instances of ScriptoriumError.
 */
export class Scriptorium {
  readonly objects: Objects;
  readonly uploads: Uploads;
  readonly images: Images;
  readonly search: Search;
  readonly collections: Collections;
  readonly shares: Shares;
  readonly jobs: Jobs;
  readonly presets: Presets;
  readonly reviews: Reviews;
  readonly packs: Packs;
  readonly events: Events;
  readonly consumers: Consumers;
  readonly webhooks: Webhooks;
  readonly policies: Policies;
  readonly keys: Keys;
  readonly members: Members;
  readonly project: Project;
  readonly retention: Retention;
  readonly erasures: Erasures;
  /** Sends any request with the headers, retries and errors of the client. */
  readonly transport: Transport;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.transport = transport;
    this.objects = new Objects(transport);
    this.uploads = new Uploads(transport);
    this.images = new Images(transport);
    this.search = new Search(transport);
    this.collections = new Collections(transport);
    this.shares = new Shares(transport);
    this.jobs = new Jobs(transport);
    this.presets = new Presets(transport);
    this.reviews = new Reviews(transport);
    this.packs = new Packs(transport);
    this.events = new Events(transport);
    this.consumers = new Consumers(transport);
    this.webhooks = new Webhooks(transport);
    this.policies = new Policies(transport);
    this.keys = new Keys(transport);
    this.members = new Members(transport);
    this.project = new Project(transport);
    this.retention = new Retention(transport);
    this.erasures = new Erasures(transport);
  }

  /** The limits of the API. */
  limits(options?: RequestOptions) {
    return this.transport.call('getLimits', {}, options);
  }
  /** The usage and quotas of the project. */
  usage(query: Query<'getUsage'> = {}, options?: RequestOptions) {
    return this.transport.call('getUsage', { query }, options);
  }
  /** The operations of document jobs, with their options and maturity. */
  capabilities(options?: RequestOptions) {
    return this.transport.call('getCapabilities', {}, options);
  }
  /** The OpenAPI document of the service. */
  openApi(options?: RequestOptions) {
    return this.transport.call('getOpenApi', {}, options);
  }
}
