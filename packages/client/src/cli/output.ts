import { ScriptoriumError } from '../error.ts';
import { exitCodeOf, Interrupted, isFileError, UsageError } from './exit-codes.ts';
import { columns, jsonLine, LiveLine, type Paint, paintFor, printable } from './terminal.ts';

/** The output of a command: results on stdout, everything else on stderr. */
export class Output {
  readonly json: boolean;
  readonly paint: Paint;
  readonly #stderrPaint: Paint;

  constructor(json: boolean, env: NodeJS.ProcessEnv) {
    this.json = json;
    this.paint = paintFor(process.stdout, env);
    this.#stderrPaint = paintFor(process.stderr, env);
  }

  /** Prints a result: the record with --json, otherwise the line. */
  result(record: unknown, line: string): void {
    process.stdout.write(`${this.json ? jsonLine(record) : line}\n`);
  }

  /** Prints several results: JSON lines with --json, otherwise a table. */
  table<T>(records: readonly T[], row: (record: T) => readonly string[]): void {
    const lines = this.json ? records.map(jsonLine) : columns(records.map(row), process.stdout);
    for (const line of lines) process.stdout.write(`${line}\n`);
  }

  /** Prints a note for people; does nothing with --json. */
  note(line: string): void {
    if (!this.json) process.stderr.write(`${line}\n`);
  }

  /** Reports a broken connection that is retried. Bound, so that it can be passed as a callback. */
  readonly reportBreak = (error: ScriptoriumError): void => {
    this.note(this.#stderrPaint.dim(`${printable(error.detail)} Retrying.`));
  };

  /** A progress line on stderr. */
  progressLine(): LiveLine {
    return new LiveLine(process.stderr);
  }

  /** Reports an error on stderr, with advice. */
  error(error: unknown, about?: string): void {
    if (this.json) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      const document =
        error instanceof ScriptoriumError
          ? { ...error.problem, retry_after: error.retry_after }
          : { code: codeOf(error), detail: message };
      const errorRecord = {
        ...document,
        ...(about ? { about } : {}),
        exit_code: exitCodeOf(error),
      };
      process.stderr.write(`${jsonLine({ error: errorRecord })}\n`);
      return;
    }
    const [first, ...rest] = explain(error);
    // File system errors already include the file.
    const subject = about && !isFileError(error) ? `${printable(about)}: ` : '';
    process.stderr.write(`${this.#stderrPaint.red('error')}: ${subject}${first}\n`);
    for (const line of rest) process.stderr.write(`  ${line}\n`);
  }
}

function codeOf(error: unknown): string {
  if (error instanceof UsageError) return 'usage';
  if (error instanceof Interrupted) return 'interrupted';
  return isFileError(error) ? error.code : 'failed';
}

/** Describes an error: the problem, its location, and the remedy. */
function explain(error: unknown): string[] {
  if (error instanceof ScriptoriumError) return explainProblem(error);
  if (isFileError(error)) return [`${printable(error.path ?? 'a file')}: ${fileFault(error.code)}`];
  return [printable(error instanceof Error ? error.message : String(error))];
}

function explainProblem(error: ScriptoriumError): string[] {
  const faults = error.errors.map(({ pointer, parameter, header, detail, allowed = [] }) => {
    const location = pointer ?? parameter ?? header;
    // Most details name the field, in backticks, and list the allowed values.
    const subject = location && !detail.startsWith('`') ? `${location}: ` : '';
    const isListed = allowed.every((one) => detail.includes(String(one)));
    return printable(`${subject}${detail}${isListed ? '' : ` Allowed: ${allowed.join(', ')}.`}`);
  });
  const isDetailRepeated = error.errors.length === 1 && error.errors[0]?.detail === error.detail;
  const advice = adviceFor(error);
  return [
    printable(isDetailRepeated ? `${faults[0]}` : error.detail),
    ...(isDetailRepeated ? [] : faults),
    ...violationsOf(error),
    ...(advice ? [advice] : []),
    [error.code, error.request_id]
      .filter((part) => part !== null)
      .map(printable)
      .join(', '),
  ];
}

/** The policy violations of a problem. */
function violationsOf({ problem }: ScriptoriumError): string[] {
  const { violations } = problem;
  if (!Array.isArray(violations)) return [];
  return violations.flatMap((violation: { detail?: unknown; policy_id?: unknown }) =>
    typeof violation?.detail === 'string'
      ? [printable(`${violation.detail} (${String(violation.policy_id)})`)]
      : [],
  );
}

function adviceFor({ code, status, retry_after: wait, problem }: ScriptoriumError): string | null {
  const { required_scopes: scopes } = problem;
  if (code === 'connection_failed')
    return 'Check that the service is running and that SERVICE_URL is correct.';
  if (code === 'insufficient_scope' && Array.isArray(scopes)) {
    return `Use a key with ${printable(scopes.join(', '))}.`;
  }
  if (status === 401) return 'Check API_KEY (or --key-file).';
  if (code === 'project_forbidden')
    return 'Check that PROJECT_ID (or --project) is the project of the key.';
  if (code === 'not_found') return 'Check the id, and that it belongs to this project.';
  if (wait !== null) return `Try again in ${wait} s.`;
  return null;
}

function fileFault(code: string): string {
  const messages: Record<string, string> = {
    ENOENT: 'no such file or folder.',
    EACCES: 'permission denied.',
    EPERM: 'permission denied.',
    EEXIST: 'the file already exists. Choose another name with --output.',
    EISDIR: 'is a folder.',
    ENOTDIR: 'part of the path is not a folder.',
    ENOSPC: 'the disk is full.',
    EMFILE: 'too many files are open.',
  };
  return messages[code] ?? `system error ${code}.`;
}
