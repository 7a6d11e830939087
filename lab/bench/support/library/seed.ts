import { newId } from '@scriptorium/contracts/ids';
import type { Database } from '../../../../src/db/database.ts';
import { inProject, query } from '../../../../src/db/transaction.ts';
import { positionsAfter } from '../../../../src/library/collections/members/position.ts';
import type { Picture, PictureMime } from './pictures.ts';

/** A seeded random number generator (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Picks by Zipf's law: the second item of a list half as often as the first, the third a third as
 * often.
 */
export function zipf<T>(list: readonly T[], random: () => number): () => T {
  const sums: number[] = [];
  for (let at = 0; at < list.length; at++) sums.push((sums[at - 1] ?? 0) + 1 / (at + 1));
  const total = sums.at(-1)!;
  return () => {
    const target = random() * total;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < target) low = middle + 1;
      else high = middle;
    }
    return list[low]!;
  };
}

/** Pronounceable unique words, from short and frequent to long and rare. */
function inventWords(count: number, random: () => number): string[] {
  const onsets = [
    'b',
    'd',
    'f',
    'g',
    'k',
    'l',
    'm',
    'n',
    'p',
    'r',
    's',
    't',
    'v',
    'st',
    'br',
    'sh',
  ];
  const endings = ['a', 'e', 'i', 'o', 'u', 'an', 'er', 'on', 'al', 'is', 'ea', 'or', 'ent', 'ick'];
  const words = new Set<string>();
  while (words.size < count) {
    const syllables = 2 + Math.floor(random() * (1 + (3 * words.size) / count));
    let word = '';
    for (let at = 0; at < syllables; at++) {
      word +=
        onsets[Math.floor(random() * onsets.length)]! +
        endings[Math.floor(random() * endings.length)]!;
    }
    words.add(word);
  }
  return [...words];
}

/** The words and tags of a generated library, most frequent first. */
export function inventVocabulary(random = createRandom(20_260_101)): {
  words: string[];
  tags: string[];
} {
  const words = inventWords(4_000, random);
  return { words, tags: inventWords(500, random).map((word) => `${word}s`) };
}

/** The data that a benchmark's queries use. */
export interface SeededLibrary {
  projectId: string;
  /** Most frequent first. */
  words: string[];
  tags: string[];
  images: string[];
  /** A collection with many members. */
  collectionId: string;
}

const shares: [mime: PictureMime, share: number][] = [
  ['image/jpeg', 0.7],
  ['image/png', 0.14],
  ['image/webp', 0.08],
  ['image/svg+xml', 0.03],
  ['image/tiff', 0.02],
  ['image/gif', 0.02],
  ['image/avif', 0.01],
];

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
};

/** The period in which the library was filled: three years. */
export const periodEnd = Date.UTC(2026, 9, 1);
export const periodMs = 3 * 365 * 24 * 3_600_000;

/**
 * Returns a function that picks where an image was taken: around one of sixty towns, most often
 * close to it.
 */
function makeLocationPicker(random: () => number): () => { latitude: number; longitude: number } {
  const towns = Array.from({ length: 60 }, () => [random() * 110 - 45, random() * 340 - 170]);
  const scatter = (degrees: number): number => degrees + (random() - 0.5) * 8 * random() ** 4;
  return () => {
    const [latitude = 0, longitude = 0] = towns[Math.floor(random() ** 2 * towns.length)]!;
    return { latitude: scatter(latitude), longitude: scatter(longitude) };
  };
}

/**
 * Fills a project with images: three years of uploads, with realistically skewed words and tags.
 */
export async function seedImages(
  database: Database,
  projectId: string,
  count: number,
  pictures: readonly Picture[],
): Promise<Omit<SeededLibrary, 'collectionId'>> {
  const random = createRandom(20_260_101);
  const { words, tags } = inventVocabulary(random);
  const [word, tag] = [zipf(words, random), zipf(tags, random)];
  const text = (min: number, max: number): string =>
    Array.from({ length: min + Math.floor(random() * (max - min + 1)) }, word).join(' ');
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const pickLocation = makeLocationPicker(createRandom(5));
  const byMime = new Map(
    shares.map(([mime]) => [mime, pictures.filter((picture) => picture.mime === mime)]),
  );
  const pickPicture = (): Picture => {
    const candidates = byMime.get(pickMime(random())) ?? [];
    return pick(candidates.length > 0 ? candidates : pictures);
  };
  const images: string[] = [];
  for (let done = 0; done < count; ) {
    const rows = [];
    for (let at = 0; at < 2_000 && done < count; at++, done++) {
      const created = periodEnd - periodMs + (periodMs * (done + random())) / count;
      const picture = pickPicture();
      const { mime } = picture;
      rows.push({
        id: newId('image'),
        object_id: newId('object'),
        state: random() < 0.02 ? 'trashed' : 'available',
        filename: `${pick(['IMG', 'DSC', 'scan', word()])}_${1000 + done}-${word()}.${extensions[mime] ?? mime.slice(6)}`,
        tags:
          random() < 0.08
            ? []
            : [...new Set(Array.from({ length: 1 + Math.floor(random() * 8) }, tag))],
        title: random() < 0.9 ? text(2, 6) : null,
        description: random() < 0.6 ? text(8, 30) : null,
        alt_text: random() < 0.4 ? text(5, 12) : null,
        rating: random() < 0.3 ? 1 + Math.floor(random() * 5) : null,
        ...picture,
        location: pickLocation(),
        captured_at:
          random() < 0.85 ? new Date(created - random() * 2 * periodMs).toISOString() : null,
        created_at: new Date(created).toISOString(),
      });
    }
    await insertImages(database, projectId, rows);
    images.push(...rows.map(({ id }) => id));
  }
  return { projectId, words, tags, images };
}

function pickMime(target: number): PictureMime {
  let sum = 0;
  for (const [mime, share] of shares) {
    sum += share;
    if (target < sum) return mime;
  }
  return 'image/jpeg';
}

async function insertImages(
  database: Database,
  projectId: string,
  rows: readonly object[],
): Promise<void> {
  const values = [projectId, JSON.stringify(rows)];
  await inProject(database, projectId, async (tx) => {
    await query(
      tx,
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, tags, source_kind,
         trashed_at, created_at, updated_at)
       SELECT r.object_id, $1, r.state, r.filename, r.mime, r.bytes,
         r.sha256, r.tags, 'upload',
         CASE WHEN r.state = 'trashed' THEN now() END, r.created_at, r.created_at
       FROM jsonb_to_recordset($2) AS r (object_id text, state text, filename text, mime text,
         bytes bigint, sha256 text, tags text[], created_at timestamptz)`,
      values,
    );
    await query(
      tx,
      `INSERT INTO image (id, project_id, object_id, processing, title, description, alt_text, rating,
         width, height, orientation, captured_at, camera, location, dominant_color, palette, blurhash,
         created_at, updated_at)
       SELECT r.id, $1, r.object_id, false, r.title, r.description, r.alt_text, r.rating, r.width,
         r.height, r.orientation, r.captured_at, r.camera, r.location, r.palette[1], r.palette,
         r.blurhash, r.created_at, r.created_at
       FROM jsonb_to_recordset($2) AS r (id text, object_id text, title text, description text,
         alt_text text, rating smallint, width integer, height integer, orientation text,
         captured_at timestamptz, camera jsonb, location jsonb, palette text[], blurhash text,
         created_at timestamptz)`,
      values,
    );
    await query(
      tx,
      `INSERT INTO rendition (project_id, image_id, name, mime, sha256, bytes, width, height)
       SELECT $1, i.id, r.* FROM jsonb_to_recordset($2) AS i (id text, renditions jsonb),
         jsonb_to_recordset(i.renditions) AS r (name text, mime text, sha256 text, bytes bigint,
           width integer, height integer)`,
      values,
    );
  });
}

/**
 * Fills a project with collections: one in fifty is smart, and one has two thousand members.
 * @returns the identifier of the large one
 */
export async function seedCollections(
  database: Database,
  library: Omit<SeededLibrary, 'collectionId'>,
  count: number,
): Promise<string> {
  const { projectId, images, words, tags } = library;
  const random = createRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const ids = Array.from({ length: count }, () => newId('collection'));
  const isSmart = (at: number): boolean => at > 0 && at <= Math.min(200, count / 50);
  const size = (at: number): number => (at === 0 ? 2_000 : Math.floor(random() ** 3 * 60));
  for (let start = 0; start < count; start += 500) {
    const members: { collection_id: string; id: string; position: string }[] = [];
    const rows = ids.slice(start, start + 500).map((id, offset) => {
      const at = start + offset;
      const base = { id, name: `${pick(words)} ${pick(words)} ${at}` };
      if (isSmart(at)) return { ...base, kind: 'smart', query: { tag: [pick(tags)] }, members: 0 };
      const memberIds = [...new Set(Array.from({ length: size(at) }, () => pick(images)))];
      const positions = positionsAfter(null, memberIds.length);
      members.push(
        ...memberIds.map((image, index) => ({
          collection_id: id,
          id: image,
          position: positions[index]!,
        })),
      );
      return { ...base, kind: 'manual', query: null, members: memberIds.length };
    });
    await inProject(database, projectId, async (tx) => {
      await query(
        tx,
        `INSERT INTO collection (id, project_id, name, kind, query, member_count)
         SELECT r.id, $1, r.name, r.kind, r.query, r.members FROM jsonb_to_recordset($2)
           AS r (id text, name text, kind text, query jsonb, members integer)`,
        [projectId, JSON.stringify(rows)],
      );
      await query(
        tx,
        `INSERT INTO collection_member (project_id, collection_id, resource_type, resource_id, position)
         SELECT $1, r.collection_id, 'image', r.id, r.position FROM jsonb_to_recordset($2)
           AS r (collection_id text, id text, position text)`,
        [projectId, JSON.stringify(members)],
      );
    });
  }
  return ids[0]!;
}
