import type { EventRecord } from '@scriptorium/contracts/wire/events';

const columns = {
  occurred_at: (event) => event.occurred_at,
  sequence: (event) => String(event.sequence),
  category: (event) => event.category,
  type: (event) => event.type,
  resource_type: (event) => event.resource_type,
  resource_id: (event) => event.resource_id,
  actor_type: (event) => event.actor.type,
  actor_id: (event) => event.actor.id,
  actor_name: (event) => event.actor.name,
  address: (event) => event.address,
  request_id: (event) => event.request_id,
  data: (event) => JSON.stringify(event.data),
  published: (event) => String(event.published),
  published_at: (event) => event.published_at,
  id: (event) => event.id,
  project_id: (event) => event.project_id,
} satisfies Record<string, (event: EventRecord) => string | null>;

/** The header line. */
export const csvHeader = `${Object.keys(columns).join(',')}\r\n`;

/** An event as a CSV line (RFC 4180), with `data` as JSON in one column. */
export function formatCsvLine(event: EventRecord): string {
  const cells = Object.values(columns).map((column) => formatCsvCell(column(event) ?? ''));
  return `${cells.join(',')}\r\n`;
}

/**
 * Formats a value as a cell. A leading apostrophe prevents spreadsheets from running untrusted
 * values as formulas.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
function formatCsvCell(text: string): string {
  const escaped = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
