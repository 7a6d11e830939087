/** What has been opened, in order. */
export interface Parts {
  /** Waits for a part, and closes it with the others, also if another fails to open before it has. */
  open<T>(opening: Promise<T>, close: (part: T) => unknown): Promise<T>;
  /** Closes all, the last first. @throws the first error, once all have been tried */
  close(): Promise<void>;
}

/** Opens something that has parts; if that fails, closes those that are open. */
export async function openParts<T>(open: (parts: Parts) => Promise<T>): Promise<T> {
  const closers: (() => Promise<unknown>)[] = [];
  const parts: Parts = {
    open(opening, close) {
      const opened = opening.then(
        (part) => ({ part }),
        () => null,
      );
      closers.push(async () => {
        const one = await opened;
        if (one) await close(one.part);
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
    return await open(parts);
  } catch (error) {
    // What it was is of more use than what could not be closed after it.
    await parts.close().catch(() => undefined);
    throw error;
  }
}
