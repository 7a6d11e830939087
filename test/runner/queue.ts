/**
 * Hands out test files to lanes. A lane takes the files of one room (the first folder of the path)
 * before it begins another, because tests of a room share what they start: a browser, a worker.
 */
export interface FileQueue {
  /** The next file for a lane; undefined when all have been handed out. */
  take(lane: number): string | undefined;
}

/** Rooms with long files, which are begun first, so that no lane is left alone with them at the end. */
const roomsWithLongFiles = [
  'portal',
  'documents',
  'jobs',
  'flows',
  'clients',
  'embedded',
  'admin',
  'api',
];

/** `files` are relative to the folder of tests, with slashes. */
export function createQueue(files: readonly string[]): FileQueue {
  const rooms = new Map<string, string[]>();
  for (const file of [...files].sort()) {
    const room = roomOf(file);
    rooms.set(room, [...(rooms.get(room) ?? []), file]);
  }
  const roomOfLane = new Map<number, string>();

  /** A room that no lane works on, or else the one with most files left. */
  function nextRoom(): string | undefined {
    const unfinished = [...rooms].filter(([, waiting]) => waiting.length > 0);
    const occupied = new Set(roomOfLane.values());
    const free = unfinished.filter(([room]) => !occupied.has(room)).map(([room]) => room);
    if (free.length > 0) return roomsWithLongFiles.find((room) => free.includes(room)) ?? free[0];
    return unfinished.sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
  }

  return {
    take(lane) {
      const current = rooms.get(roomOfLane.get(lane) ?? '');
      if (current && current.length > 0) return current.shift();
      roomOfLane.delete(lane);
      const room = nextRoom();
      if (room === undefined) return undefined;
      roomOfLane.set(lane, room);
      return rooms.get(room)?.shift();
    },
  };
}

function roomOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : 'others';
}
