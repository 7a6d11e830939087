import { minutes } from './files.ts';
import type { Teller } from './teller.ts';

const tus = { 'tus-resumable': '1.0.0' };
const chunk = { ...tus, 'content-type': 'application/offset+octet-stream' };
const half = Math.ceil(minutes.length / 2);

export async function uploads({ tell, ask }: Teller): Promise<void> {
  await tell('describeUploads', 'The supported parts of tus', 204, { headers: tus });
  const filename = Buffer.from('minutes.md').toString('base64');
  const start = {
    ...tus,
    'upload-length': String(minutes.length),
    'upload-metadata': `filename ${filename}`,
  };
  const begun = await tell('createUpload', 'Start an upload', 201, { headers: start });
  await tell('createUpload', 'Without the tus version', 412, {
    headers: { 'upload-length': '10', 'upload-metadata': `filename ${filename}` },
  });
  const params = { id: begun.headers.get('location')!.slice('/v1/uploads/'.length) };
  await tell('appendToUpload', 'Send the first half', 204, {
    params,
    headers: { ...chunk, 'upload-offset': '0' },
    body: minutes.slice(0, half),
  });
  await tell('getUpload', 'The offset of an upload', 200, { params });
  await tell('appendToUpload', 'A wrong offset', 409, {
    params,
    headers: { ...chunk, 'upload-offset': '0' },
    body: minutes.slice(0, half),
  });
  await tell('appendToUpload', 'Send the rest; the response names the object', 204, {
    params,
    headers: { ...chunk, 'upload-offset': String(half) },
    body: minutes.slice(half),
  });
  const another = await ask('createUpload', 201, { headers: start });
  await tell('terminateUpload', 'Cancel an upload', 204, {
    params: { id: another.headers.get('location')!.slice('/v1/uploads/'.length) },
    headers: tus,
  });
}
