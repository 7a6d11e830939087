/** The fields of an event that webhooks and the feed have in common. */
export interface Event {
  id: string;
  type: string;
  project_id: string;
  resource_id: string;
  category: string;
  /** Counts the events of one project and category, without gaps. */
  sequence: number;
  occurred_at: string;
  /** Absent from webhooks with thin payloads. */
  data?: Record<string, unknown>;
}

/** The stream of an event: the events of one project and category, ordered by sequence. */
export function streamOf(event: Event): string {
  return `${event.project_id}/${event.category}`;
}

/** @throws Error if the value is not an event */
export function readEvent(value: unknown): Event {
  const event = value as Partial<Record<keyof Event, unknown>> | null;
  const texts = ['id', 'type', 'project_id', 'resource_id', 'category', 'occurred_at'] as const;
  if (
    typeof event !== 'object' ||
    event === null ||
    !texts.every((name) => typeof event[name] === 'string') ||
    !Number.isSafeInteger(event.sequence)
  ) {
    throw new Error('The value is not an event.');
  }
  return value as Event;
}
