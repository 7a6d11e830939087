/** What has been opened, in order. */
export interface ResourceStack {
  /** Waits for a part, and closes it with the others, also if another fails to open before it has. */
  open<T>(opening: Promise<T>, close: (resource: T) => unknown): Promise<T>;
  /** Closes all, the last first. @throws the first error, once all have been tried */
  close(): Promise<void>;
}

/** Opens something that has parts; if that fails, closes those that are open. */
export async function openResources<T>(open: (resources: ResourceStack) => Promise<T>): Promise<T> {
  const closers: (() => Promise<unknown>)[] = [];
  const resources: ResourceStack = {
    open(opening, close) {
      const opened = opening.then(
        (resource) => ({ part: resource }),
        () => null,
      );
      closers.push(async () => {
        const result = await opened;
        if (result) await close(result.part);
      });
      return opening;
    },
    async close() {
      const errors: unknown[] = [];
      for (let closer = closers.pop(); closer; closer = closers.pop()) {
        await closer().catch((error: unknown) => errors.push(error));
      }
      if (errors.length > 0) throw errors[0];
    },
  };
  try {
    return await open(resources);
  } catch (error) {
    // What it was is of more use than what could not be closed after it.
    await resources.close().catch(() => undefined);
    throw error;
  }
}
