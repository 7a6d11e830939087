/** An event as it comes by webhook, and as the feed has it (which knows more of it). */
export interface Event {
  id: string;
  type: string;
  project_id: string;
  resource_id: string;
  category: string;
  /** Per project and category, without gaps. */
  sequence: number;
  occurred_at: string;
  /** Absent from a thin webhook. */
  data?: Record<string, unknown>;
}

/** Events of one project and category are one stream, in the order of their sequence. */
export function streamOf(event: Event): string {
  return `${event.project_id}/${event.category}`;
}

/** @throws Error for anything but an event */
export function readEvent(value: unknown): Event {
  const event = value as Partial<Record<keyof Event, unknown>> | null;
  const texts = ['id', 'type', 'project_id', 'resource_id', 'category', 'occurred_at'] as const;
  if (
    typeof event !== 'object' ||
    event === null ||
    !texts.every((name) => typeof event[name] === 'string') ||
    !Number.isSafeInteger(event.sequence)
  ) {
    throw new Error('This is not an event.');
  }
  return value as Event;
}
