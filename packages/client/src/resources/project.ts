import type { RequestOptions } from '../transport.ts';
import { type Body, Resource } from './resource.ts';

/** The project of the client. */
export class Project extends Resource {
  get(options?: RequestOptions) {
    return this.transport.call('getProject', {}, options);
  }
  /** Changes settings of the project. */
  update(body: Body<'updateProject'>, options?: RequestOptions) {
    return this.transport.call('updateProject', { body }, options);
  }
  /** Deletes the project with everything in it. `name` is its name, to confirm. */
  delete(body: Body<'deleteProject'>, options?: RequestOptions) {
    return this.transport.call('deleteProject', { body }, options);
  }
}
