/** The deadline of a call to an engine: the same as for a page in a worker. */
export const callOptions = { deadlineMs: 120_000, isolation: 'bench' };

/** The memory limit of a child process, as in workers. */
export const memoryBytes = 2 ** 30;
