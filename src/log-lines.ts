import type { DestinationStream } from 'pino';

/**
 * The maximum bytes per write. Writes to a pipe up to this length are atomic (PIPE_BUF), so lines
 * of several processes on one pipe do not mix.
 */
const mostAtOnce = 4_096;
/** How long a line may be buffered, in milliseconds. */
const gatherMs = 50;
/** The pino level `warn`. */
const urgent = 40;

/** A buffered destination of a logger. */
export interface LineBuffer extends DestinationStream {
  /** The pino level of the next line, set by pino. */
  lastLevel: number;
  flush(): void;
}

/**
 * Buffers lines briefly and writes them together, since a system call costs more than a line. A
 * warning flushes immediately. The buffer is flushed when the process exits; only SIGKILL loses up
 * to 50 ms of lines below `warn`.
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
    // Also emitted after an uncaught exception.
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
  // Makes pino set `lastLevel`.
  return Object.assign(buffer, { [Symbol.for('pino.metadata')]: true });
}
