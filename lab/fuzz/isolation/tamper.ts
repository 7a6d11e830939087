import { Pipeline, type Statement } from '../../../src/db/wire/pipeline.ts';

/** The statements of one probe to Postgres. */
export interface Overheard {
  texts: Set<string>;
  /** Whether a transaction changed rows of the other project. */
  wroteToOther: boolean;
}

/** Control over all statements that this process sends to Postgres. */
export interface Tampering {
  /** Replacements for statements. */
  instead: Map<string, string>;
  /** Starts recording statements. */
  listen(): Overheard;
  /** Restores the original statements. */
  stop(): void;
}

/**
 * Makes every transaction end without effect, and reports those that changed rows of the other
 * project, so that a probe can be repeated any number of times. `atRest` is the result of
 * `fingerprint` if none has.
 */
export function tamper(fingerprint: string, atRest: string): Tampering {
  // The method itself, to be called with its own `this`.
  const original = Pipeline.prototype.send;
  let heard: Overheard = { texts: new Set(), wroteToOther: false };
  const instead = new Map<string, string>();

  const asIfCommitted = (said: Statement): Statement[] => [
    {
      name: '',
      text: fingerprint,
      values: [],
      resolve: ({ rows }) => {
        if (JSON.stringify(rows[0]) !== atRest) heard.wroteToOther = true;
      },
      // An earlier statement failed, so nothing is committed.
      reject: () => undefined,
    },
    {
      ...said,
      name: '',
      text: 'ROLLBACK',
      resolve: ({ rows }) => said.resolve({ rows, tag: 'COMMIT' }),
    },
  ];

  Pipeline.prototype.send = function (this: Pipeline, all: readonly Statement[]): void {
    const sent = all.flatMap((said) => {
      if (said.text === 'COMMIT') return asIfCommitted(said);
      heard.texts.add(said.text);
      const other = instead.get(said.text);
      return other === undefined ? [said] : [{ ...said, name: '', text: other }];
    });
    original.call(this, sent);
  };

  return {
    instead,
    listen: () => {
      heard = { texts: new Set(), wroteToOther: false };
      return heard;
    },
    stop: () => {
      Pipeline.prototype.send = original;
    },
  };
}
