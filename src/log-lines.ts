import type { DestinationStream } from 'pino';

/**
 * The most bytes of several lines that are written at once. The kernel keeps a write of this length to
 * a pipe in one piece (PIPE_BUF), so lines of several processes on one pipe do not mix.
 */
const mostAtOnce = 4_096;
/** How long a line may wait for others. */
const gatherMs = 50;
/** pino's number for `warn`. */
const urgent = 40;

/** Where a logger writes, and what sends the lines on that wait. */
export interface LineBuffer extends DestinationStream {
  /** pino's number for the level of the line that is written next; set by pino. */
  lastLevel: number;
  flush(): void;
}

/**
 * Gathers lines for a moment and writes them together, since a system call costs more than a line. A
 * warning is written at once, with all lines before it. Nothing waits when the process ends, by
 * whatever way it ends itself; one that is killed with SIGKILL loses the last 50 ms below `warn`.
 */
export function gatherLines(sink: { write(text: string): unknown }): LineBuffer {
  let waiting = '';
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let followsExit = false;
  let isExiting = false;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    waitingBytes = 0;
    sink.write(text);
  };
  const followExit = (): void => {
    if (followsExit) return;
    followsExit = true;
    // Also emitted after an exception that nobody caught.
    process.once('exit', () => {
      isExiting = true;
      flush();
    });
  };

  const buffer: LineBuffer = {
    lastLevel: 0,
    flush,
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > mostAtOnce) flush();
      waiting += line;
      waitingBytes += bytes;
      if (buffer.lastLevel >= urgent || isExiting) {
        flush();
        return;
      }
      if (timer !== undefined) return;
      followExit();
      timer = setTimeout(flush, gatherMs);
      timer.unref();
    },
  };
  // Asks pino to set `lastLevel`.
  return Object.assign(buffer, { [Symbol.for('pino.metadata')]: true });
}
