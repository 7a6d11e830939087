import { ApiProblem } from '../api/request.ts';
import { fetchPicture } from './page-request.ts';

/** The maximum number of pictures kept, some megabytes. */
const maxPictures = 24;

/** A page of an object as a picture of a width in pixels. */
interface PictureKey {
  objectId: string;
  page: number;
  width: number;
}

/** Keeps the pictures that a screen has loaded, and loads some before they are shown. */
export interface PictureCache {
  /** Returns a loaded picture. */
  get: (key: PictureKey) => Blob | undefined;
  /** Returns the picture, loaded if necessary. @throws ApiProblem as `fetchPicture` does */
  load: (key: PictureKey, signal: AbortSignal) => Promise<Blob>;
  /** Loads a picture that may be shown next. */
  preload: (key: PictureKey) => void;
  /** Stops loading. */
  stop: () => void;
}

export function createPictureCache(): PictureCache {
  const controller = new AbortController();
  const pictures = new Map<string, Blob>();
  const preloads = new Map<string, Promise<void>>();
  const nameOf = ({ objectId, page, width }: PictureKey): string => `${objectId} ${page} ${width}`;
  const fetchAndKeep = async (key: PictureKey, signal: AbortSignal): Promise<Blob> => {
    const blob = await fetchPicture(key.objectId, key.page, key.width, signal);
    pictures.set(nameOf(key), blob);
    for (const oldest of pictures.keys()) {
      if (pictures.size <= maxPictures) break;
      pictures.delete(oldest);
    }
    return blob;
  };
  const preload = async (key: PictureKey): Promise<void> => {
    try {
      await fetchAndKeep(key, controller.signal);
    } catch (error) {
      // The problem is reported once the picture is shown, which requests it again.
      if (!controller.signal.aborted && !(error instanceof ApiProblem)) throw error;
    } finally {
      preloads.delete(nameOf(key));
    }
  };
  return {
    get: (key) => pictures.get(nameOf(key)),
    async load(key, signal) {
      await preloads.get(nameOf(key));
      return pictures.get(nameOf(key)) ?? fetchAndKeep(key, signal);
    },
    preload(key) {
      const name = nameOf(key);
      if (pictures.has(name) || preloads.has(name)) return;
      preloads.set(name, preload(key));
    },
    stop: () => controller.abort(),
  };
}
