import { readdirSync, readFileSync } from 'node:fs';

/**
 * A request and its response, recorded by test/examples and run again by test/api/examples.test.ts.
 * Identifiers, times and secrets in them are fictitious.
 */
export interface RecordedExchange {
  operationId: string;
  /** The title of the example. */
  summary: string;
  request: {
    /** The path parameters. */
    params?: Record<string, string>;
    query?: Record<string, string>;
    headers?: Record<string, string>;
    /** The media type of the body. */
    type?: string;
    /** JSON, text, or the fields of a form. */
    body?: unknown;
    /** Whether it is sent without the two credential headers. */
    anonymous?: true;
  };
  response: {
    status: number;
    headers?: Record<string, string>;
    type?: string;
    /** JSON, or text. */
    body?: unknown;
  };
}

/** The folder of the recorded examples. */
export const examplesFolder = new URL('examples/', import.meta.url);

/** All recorded examples. Each tag has a file. */
export function readExamples(): RecordedExchange[] {
  return (
    readdirSync(examplesFolder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      // Only the recorder writes these files.
      .flatMap(
        (name) =>
          JSON.parse(readFileSync(new URL(name, examplesFolder), 'utf8')) as RecordedExchange[],
      )
  );
}
