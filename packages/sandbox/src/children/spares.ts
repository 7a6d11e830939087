import { totalmem } from 'node:os';

/**
 * Memory of a child that has loaded all its code, and a model if the recogniser is WASM, in bytes.
 */
const spareBytes = 256 * 2 ** 20;
/** The share of the machine's memory that the spares of one engine may use. */
const shareOfMemory = 1 / 8;
/** A job starts with a single task and continues with as many as there are processes. */
const maxSpares = 2;

/** Memory of this machine, or of its container if that has less, in bytes. */
function memoryHere(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Returns the number of spares that an engine with this many processes keeps; 0 if memory is short.
 */
export function sparesFor(processes: number, memoryBytes = memoryHere()): number {
  const affordable = Math.floor((memoryBytes * shareOfMemory) / spareBytes);
  return Math.max(0, Math.min(processes, maxSpares, affordable));
}
