import { Pipeline, type Statement } from '../../../src/db/wire/pipeline.ts';

/** The statements of one probe to Postgres. */
export interface RecordedStatements {
  texts: Set<string>;
  /** Whether a transaction changed rows of the other project. */
  wroteToOther: boolean;
}

/** Control over all statements that this process sends to Postgres. */
export interface Tampering {
  /** Replacements for statements. */
  replacements: Map<string, string>;
  /** Starts recording statements. */
  startRecording(): RecordedStatements;
  /** Restores the original statements. */
  stop(): void;
}

/**
 * Makes every transaction end without effect, and reports those that changed rows of the other
 * project, so that a probe can be repeated any number of times. `atRest` is the result of
 * `fingerprint` if none has.
 */
export function tamper(fingerprint: string, unchanged: string): Tampering {
  // The method itself, to be called with its own `this`.
  const original = Pipeline.prototype.send;
  let recorded: RecordedStatements = { texts: new Set(), wroteToOther: false };
  const instead = new Map<string, string>();

  const rollBackAsCommitted = (statement: Statement): Statement[] => [
    {
      name: '',
      text: fingerprint,
      values: [],
      resolve: ({ rows }) => {
        if (JSON.stringify(rows[0]) !== unchanged) recorded.wroteToOther = true;
      },
      // An earlier statement failed, so nothing is committed.
      reject: () => undefined,
    },
    {
      ...statement,
      name: '',
      text: 'ROLLBACK',
      resolve: ({ rows }) => statement.resolve({ rows, tag: 'COMMIT' }),
    },
  ];

  Pipeline.prototype.send = function (this: Pipeline, statements: readonly Statement[]): void {
    const sent = statements.flatMap((statement) => {
      if (statement.text === 'COMMIT') return rollBackAsCommitted(statement);
      recorded.texts.add(statement.text);
      const replacement = instead.get(statement.text);
      return replacement === undefined
        ? [statement]
        : [{ ...statement, name: '', text: replacement }];
    });
    original.call(this, sent);
  };

  return {
    replacements: instead,
    startRecording: () => {
      recorded = { texts: new Set(), wroteToOther: false };
      return recorded;
    },
    stop: () => {
      Pipeline.prototype.send = original;
    },
  };
}
