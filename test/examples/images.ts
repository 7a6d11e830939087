import { quarteredPicture } from '../support/pictures.ts';
import { rawFile } from './files.ts';
import type { Teller } from './teller.ts';

/** Uploads a picture and waits until it has been read. */
async function picture(
  { ask, until }: Teller,
  filename: string,
  size: [number, number],
): Promise<string> {
  const body = await quarteredPicture(...size)
    .png()
    .toBuffer();
  const made = await ask('uploadObject', 201, { headers: rawFile(filename), body });
  const found = await until(
    'searchImages',
    { query: { sort: '-created_at', limit: '1' } },
    ({ json }) => json.data[0]?.object_id === made.json.id && !json.data[0].processing,
  );
  return found.json.data[0].id;
}

export async function images(scene: Teller): Promise<void> {
  const { tell, ask } = scene;
  const pier = await picture(scene, 'pier-4.png', [320, 200]);
  const crane = await picture(scene, 'crane.png', [200, 320]);
  const params = { id: pier };
  await tell('updateImage', 'Set a description', 200, {
    params,
    headers: { 'if-match': '"2"' },
    body: { title: 'Pier 4', alt_text: 'A pier at low tide.', add_tags: ['harbour'], rating: 4 },
  });
  await tell('updateImages', 'Tag two images', 200, {
    body: { ids: [pier, crane], patch: { add_tags: ['bristol'] } },
  });
  await tell('updateImages', 'Tag all images that match, if their number has not changed', 409, {
    body: { filter: { tag: ['bristol'] }, expected_count: 3, patch: { rating: 5 } },
  });
  await tell('searchImages', 'Words and a tag, with facets', 200, {
    query: { q: 'pier', tag: 'harbour', include: 'total,facets' },
  });
  await tell('searchImages', 'Two faults in one request', 400, {
    query: { min_width: 'wide', orientation: 'round' },
  });
  await tell('search', 'Objects and images in one ranking', 200, { query: { q: 'low tide' } });
  await tell('searchPassages', 'Passages about a pier', 200, {
    body: { query: 'How high is the pier?', limit: 3 },
  });
  await tell('getEmbeddings', 'A service without an embedding endpoint', 200);
  await tell('searchPassages', 'A language without a dictionary', 422, {
    body: { query: '桟橋', languages: ['jpn'] },
  });
  await tell('listImagePlaces', 'Where images were taken', 200, { query: { zoom: '4' } });
  const { json } = await tell('getImage', 'An image', 200, { params });
  await tell('getPageImage', 'Mark a place on a page', 200, {
    params: { id: json.object_id, n: '1' },
    query: { width: '640', boxes: '72,90,120,14.5' },
  });
  await tell('getPageImage', 'A page after the last one', 404, {
    params: { id: json.object_id, n: '2' },
  });
  await tell('getPageText', 'The words of a picture that no job has read', 200, {
    params: { id: json.object_id, n: '1' },
  });
  await tell('getRendition', 'A thumbnail', 200, {
    params: { ...params, name: 'thumb' },
    headers: { accept: 'image/webp' },
  });
  await ask('createCollection', 201, {
    body: { name: 'Harbour', members: [{ resource_type: 'image', resource_id: pier }] },
  });
  await tell('listImageCollections', 'Collections that contain an image', 200, { params });
  await tell('listCollections', 'The newest collection, with its cover', 200, {
    query: { include: 'covers', limit: '1' },
  });
  await tell('trashImage', 'Move an image and its object to the trash', 204, {
    params: { id: crane },
  });
  await tell('restoreImage', 'Restore an image', 200, { params: { id: crane } });
}
