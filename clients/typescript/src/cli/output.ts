import { ScriptoriumError } from '../error.ts';
import { exitCodeOf, Interrupted, isFileError, UsageError } from './exit.ts';
import { columns, jsonLine, LiveLine, type Paint, paintFor, printable } from './terminal.ts';

/** Where a command writes: results to stdout, all else to stderr. */
export class Output {
  readonly json: boolean;
  readonly paint: Paint;
  readonly #stderrPaint: Paint;

  constructor(json: boolean, env: NodeJS.ProcessEnv) {
    this.json = json;
    this.paint = paintFor(process.stdout, env);
    this.#stderrPaint = paintFor(process.stderr, env);
  }

  /** A result: the record with --json, otherwise its line. */
  result(record: unknown, line: string): void {
    process.stdout.write(`${this.json ? jsonLine(record) : line}\n`);
  }

  /** Many results: a record a line with --json, otherwise a table. */
  table<T>(records: readonly T[], row: (record: T) => readonly string[]): void {
    const lines = this.json ? records.map(jsonLine) : columns(records.map(row), process.stdout);
    for (const line of lines) process.stdout.write(`${line}\n`);
  }

  /** What people want to know and programs do not. */
  note(line: string): void {
    if (!this.json) process.stderr.write(`${line}\n`);
  }

  /** Says that a connection broke and is opened again; to be handed on as it is. */
  readonly broke = (error: ScriptoriumError): void => {
    this.note(this.#stderrPaint.dim(`${printable(error.detail)} Trying again.`));
  };

  /** A line to draw progress on: on stderr, beside the results. */
  live(): LiveLine {
    return new LiveLine(process.stderr);
  }

  /** Says on stderr what went wrong, and what to do. */
  error(error: unknown, about?: string): void {
    if (this.json) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      const document =
        error instanceof ScriptoriumError
          ? { ...error.problem, retry_after: error.retry_after }
          : { code: codeOf(error), detail: message };
      const said = { ...document, ...(about ? { about } : {}), exit_code: exitCodeOf(error) };
      process.stderr.write(`${jsonLine({ error: said })}\n`);
      return;
    }
    const [first, ...rest] = explain(error);
    // The file system names its file by itself.
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

/** An error in words: what was wrong, where, and what to do. */
function explain(error: unknown): string[] {
  if (error instanceof ScriptoriumError) return explainProblem(error);
  if (isFileError(error)) return [`${printable(error.path ?? 'a file')}: ${fileFault(error.code)}`];
  return [printable(error instanceof Error ? error.message : String(error))];
}

function explainProblem(error: ScriptoriumError): string[] {
  const faults = error.errors.map(({ pointer, parameter, header, detail, allowed }) => {
    const place = pointer ?? parameter ?? header;
    const choices = allowed && allowed.length > 0 ? ` Allowed: ${allowed.join(', ')}.` : '';
    return printable(`${place ? `${place}: ` : ''}${detail}${choices}`);
  });
  const said = error.errors.length === 1 && error.errors[0]?.detail === error.detail;
  const advice = adviceFor(error);
  return [
    printable(said ? `${faults[0]}` : error.detail),
    ...(said ? [] : faults),
    ...violationsOf(error),
    ...(advice ? [advice] : []),
    [error.code, error.request_id]
      .filter((part) => part !== null)
      .map(printable)
      .join(', '),
  ];
}

/** What a policy refused, and what the API says would help. */
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
  if (code === 'connection_failed') return 'Is the service running, and is SERVICE_URL right?';
  if (code === 'insufficient_scope' && Array.isArray(scopes)) {
    return `Use a key with ${printable(scopes.join(', '))}.`;
  }
  if (status === 401) return 'Is API_KEY (or --key-file) the key that was shown?';
  if (code === 'project_forbidden') return 'Is PROJECT_ID (or --project) the project of the key?';
  if (code === 'not_found') return 'Is the id right, and of this project?';
  if (wait !== null) return `Try again in ${wait} s.`;
  return null;
}

function fileFault(code: string): string {
  const known: Record<string, string> = {
    ENOENT: 'there is no such file or folder.',
    EACCES: 'you may not read or write it.',
    EPERM: 'you may not read or write it.',
    EEXIST: 'it is there already; choose another name with --output.',
    EISDIR: 'it is a folder.',
    ENOTDIR: 'a part of the path is not a folder.',
    ENOSPC: 'the disk is full.',
    EMFILE: 'too many files are open.',
  };
  return known[code] ?? `the system says ${code}.`;
}
