import { requestFor } from '../../api/request.ts';

const tusHeaders = { 'Tus-Resumable': '1.0.0' };

/** The request that starts a tus upload, as shown to users. tus-js-client sends the actual request. */
export const beginUpload = (bytes: number, metadata: Record<string, string>) =>
  requestFor('createUpload', {
    headers: {
      ...tusHeaders,
      'Upload-Length': String(bytes),
      'Upload-Metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${base64(value)}`)
        .join(','),
    },
  });

export const terminateUpload = (id: string) =>
  requestFor('terminateUpload', { id, headers: tusHeaders });

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
