import { totalmem } from 'node:os';

/** What a child holds that has loaded all its code, and a model where the recogniser is WASM; bytes. */
const spareBytes = 256 * 2 ** 20;
/** The share of the machine's memory that spares of one engine may take. */
const ofMemory = 1 / 8;
/** A project's job opens with one task, and goes on with as many as there are processes. */
const mostSpares = 2;

/** Memory of this machine, or of its container where that has less; bytes. */
function memoryHere(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** How many spares an engine of so many processes keeps; none where memory is short. */
export function sparesFor(processes: number, memoryBytes = memoryHere()): number {
  const affordable = Math.floor((memoryBytes * ofMemory) / spareBytes);
  return Math.max(0, Math.min(processes, mostSpares, affordable));
}
