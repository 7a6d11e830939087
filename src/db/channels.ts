import type { ClientBase } from 'pg';

/** What processes tell each other through Postgres. */
export type ChannelPurpose = 'events' | 'upload_wanted';

/**
 * The name of a channel in SQL. It differs between databases and only our own roles can read it, since
 * whoever may connect may LISTEN to any name that it knows.
 */
export function channelName(purpose: ChannelPurpose): string {
  return `(SELECT name FROM channel WHERE purpose = '${purpose}')`;
}

/** Has a connection hear what is told on a channel. */
export async function listenTo(client: ClientBase, purpose: ChannelPurpose): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`SELECT ${channelName(purpose)} AS name`);
  await client.query(`LISTEN ${client.escapeIdentifier(rows[0]!.name)}`);
}
