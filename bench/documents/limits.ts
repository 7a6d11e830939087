/** Of every call on an engine: what a worker gives a page. */
export const call = { deadlineMs: 120_000, isolation: 'bench' };

/** Of a child, as workers have it. */
export const memoryBytes = 2 ** 30;
