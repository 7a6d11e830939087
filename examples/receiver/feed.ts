import { type Event, readEvent } from './event.ts';

/** The feed of events, `GET /v1/events`, from which missed events are read. */
export interface Feed {
  /**
   * The next events of a category after `sequence`, in order; empty at the end of the feed. If
   * events after `sequence` have been deleted, `first` is the earliest sequence that is left.
   */
  after(category: string, sequence: number): Promise<{ events: Event[]; first?: number }>;
}

/** Reads the feed of a project with a key that has the `events:read` scope. */
export function createFeed(service: { url: string; projectId: string; apiKey: string }): Feed {
  return {
    async after(category, sequence) {
      const url = new URL(`${service.url.replace(/\/$/, '')}/v1/events`);
      url.searchParams.set('category', category);
      url.searchParams.set('limit', '200');
      // Without `after`, the feed starts at its earliest event.
      if (sequence > 0) url.searchParams.set('after', String(sequence));
      const response = await fetch(url, {
        headers: {
          authorization: `Bearer ${service.apiKey}`,
          'x-service-project-id': service.projectId,
        },
        signal: AbortSignal.timeout(30_000),
      });
      const body = (await response.json()) as { data?: unknown[]; earliest_sequence?: number };
      if (response.status === 410 && body.earliest_sequence !== undefined) {
        return { events: [], first: body.earliest_sequence };
      }
      if (!response.ok || !body.data) throw new Error(`The feed returned ${response.status}.`);
      return { events: body.data.map(readEvent) };
    },
  };
}
