import { type SigningKey, signedHeaders } from './sign.ts';

/** The settings of an endpoint that apply to every message. */
export interface MessageSettings {
  headers: Record<string, string>;
  payload: 'full' | 'thin';
}

/**
 * One signed message, as it is sent. Its identifier is that of the event at every attempt; its time
 * is when the attempt began, so that the message of a past attempt can be composed again.
 * @param message.body the body that was frozen when the event was numbered
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function composeMessage(
  settings: MessageSettings,
  message: {
    eventId: string;
    begunAt: Date;
    body: string;
    secrets: readonly (string | SigningKey)[];
    replayId?: string | null;
  },
): { headers: Record<string, string>; body: string } {
  const body = messageBody(settings.payload, message.body);
  return {
    headers: {
      ...settings.headers,
      ...signedHeaders({
        id: message.eventId,
        timestamp: Math.floor(message.begunAt.getTime() / 1_000),
        body,
        secrets: message.secrets,
        ...(message.replayId ? { replayId: message.replayId } : {}),
      }),
    },
    body,
  };
}

/** What is sent of the frozen body, or without its data: the same bytes at every attempt. */
export function messageBody(payload: MessageSettings['payload'], body: string): string {
  if (payload === 'full') return body;
  const { data: _dropped, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(rest);
}
