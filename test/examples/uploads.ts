import { minutes } from './files.ts';
import type { Teller } from './teller.ts';

const tus = { 'tus-resumable': '1.0.0' };
const chunk = { ...tus, 'content-type': 'application/offset+octet-stream' };
const half = Math.ceil(minutes.length / 2);

export async function uploads({ tell, ask }: Teller): Promise<void> {
  await tell('describeUploads', 'What of tus is served', 204, { headers: tus });
  const filename = Buffer.from('minutes.md').toString('base64');
  const start = {
    ...tus,
    'upload-length': String(minutes.length),
    'upload-metadata': `filename ${filename}`,
  };
  const begun = await tell('createUpload', 'Its length and its name', 201, { headers: start });
  await tell('createUpload', 'Without the version of tus', 412, {
    headers: { 'upload-length': '10', 'upload-metadata': `filename ${filename}` },
  });
  const params = { id: begun.headers.get('location')!.slice('/v1/uploads/'.length) };
  await tell('appendToUpload', 'The first half', 204, {
    params,
    headers: { ...chunk, 'upload-offset': '0' },
    body: minutes.slice(0, half),
  });
  await tell('getUpload', 'How far it is', 200, { params });
  await tell('appendToUpload', 'Not where the upload is', 409, {
    params,
    headers: { ...chunk, 'upload-offset': '0' },
    body: minutes.slice(0, half),
  });
  await tell('appendToUpload', 'The rest: the answer names the object', 204, {
    params,
    headers: { ...chunk, 'upload-offset': String(half) },
    body: minutes.slice(half),
  });
  const another = await ask('createUpload', 201, { headers: start });
  await tell('terminateUpload', 'An upload that is abandoned', 204, {
    params: { id: another.headers.get('location')!.slice('/v1/uploads/'.length) },
    headers: tus,
  });
}
