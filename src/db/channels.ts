import type { ClientBase } from 'pg';
import type { ChannelPurpose } from '../entities/outbox/channel.ts';

/**
 * An SQL expression for the name of a channel. The name differs between databases, and only the roles
 * of this service can read it, because any role that can connect can LISTEN to any name it knows.
 */
export function channelName(purpose: ChannelPurpose): string {
  return `(SELECT name FROM channel WHERE purpose = '${purpose}')`;
}

/** Subscribes a connection to a channel. */
export async function listenTo(client: ClientBase, purpose: ChannelPurpose): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`SELECT ${channelName(purpose)} AS name`);
  await client.query(`LISTEN ${client.escapeIdentifier(rows[0]!.name)}`);
}
