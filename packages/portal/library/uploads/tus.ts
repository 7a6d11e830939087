import { requestFor } from '../../api/request.ts';

const version = { 'Tus-Resumable': '1.0.0' };

/** The request that starts a tus upload. Sent by tus-js-client; this one is only shown. */
export const beginUpload = (bytes: number, metadata: Record<string, string>) =>
  requestFor('createUpload', {
    headers: {
      ...version,
      'Upload-Length': String(bytes),
      'Upload-Metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${base64(value)}`)
        .join(','),
    },
  });

export const terminateUpload = (id: string) =>
  requestFor('terminateUpload', { id, headers: version });

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
