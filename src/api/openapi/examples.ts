import { readdirSync, readFileSync } from 'node:fs';

/**
 * Requests that were made and what was answered, recorded by test/examples and run again by
 * test/api/examples.test.ts. Identifiers, times and secrets in them are made up.
 */
export interface Exchange {
  operationId: string;
  /** What it shows. */
  summary: string;
  request: {
    /** What stands in the path. */
    params?: Record<string, string>;
    query?: Record<string, string>;
    headers?: Record<string, string>;
    /** The media type of the body. */
    type?: string;
    /** JSON, or text; of a form its fields. */
    body?: unknown;
    /** Without the two headers that nearly all of the API needs. */
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

/** Where they are kept. */
export const examplesFolder = new URL('examples/', import.meta.url);

/** All that is recorded, a file for each tag. */
export function readExamples(): Exchange[] {
  return (
    readdirSync(examplesFolder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      // Written by the recorder and by nobody else.
      .flatMap(
        (name) => JSON.parse(readFileSync(new URL(name, examplesFolder), 'utf8')) as Exchange[],
      )
  );
}
