import { totalmem } from 'node:os';

/**
 * Memory of a child that has loaded all its code, and a model if the recogniser is WASM, in bytes.
 */
const spareBytes = 256 * 2 ** 20;
/** Maximum share of the machine's memory that the spares of an engine use. */
const maxMemoryShare = 1 / 8;
/**
 * Maximum number of spares. A job starts with one task and continues with as many as there are
 * processes.
 */
const maxSpares = 2;

/** Returns the memory of this machine, or of its container if that is less, in bytes. */
function machineMemory(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Returns the number of spares for an engine with this many processes; 0 if there is too little
 * memory.
 */
export function sparesFor(processes: number, memoryBytes = machineMemory()): number {
  const affordable = Math.floor((memoryBytes * maxMemoryShare) / spareBytes);
  return Math.max(0, Math.min(processes, maxSpares, affordable));
}
