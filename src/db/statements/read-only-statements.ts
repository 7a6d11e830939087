import type { StatementResult } from '../wire/pipeline.ts';
import { mayChange, nameOf } from './texts.ts';
import { type OnRows, Statements } from './transaction-statements.ts';

/** Sets the project and the time limit again, as in earlier packets. */
const setProjectText = `SELECT set_config('app.project_id', $1, true), set_config('statement_timeout', $2, true)`;

/** A setting of the transaction: `SELECT set_config(…, true)`, sent and not awaited. */
const settingPattern = /^SELECT set_config\(/;

/**
 * The statements on a read-only connection. No BEGIN or COMMIT is sent: Postgres treats each packet as a
 * transaction that ends at its Sync. A read that needs one packet takes one round trip, and no
 * transaction stays open between packets. Settings are sent again with each packet; locks last for one
 * packet.
 */
export class ReadOnlyStatements extends Statements {
  #settings: [name: string, text: string, values: readonly unknown[]][] = [];
  #unanswered = 0;
  #whenAnswered: (() => void) | null = null;

  /** Restricts all later packets to a project; the current one has already done so. */
  setProject(projectId: string, seconds: number): void {
    this.#settings.unshift([nameOf(setProjectText), setProjectText, [projectId, `${seconds}s`]]);
  }

  override query(name: string, text: string, values: readonly unknown[]): Promise<StatementResult> {
    if (mayChange(text)) throw new Error(`A read-only transaction cannot write: ${text}`);
    return super.query(name, text, values);
  }

  override send(name: string, text: string, values: readonly unknown[], onRows?: OnRows): void {
    super.send(name, text, values, onRows);
    if (settingPattern.test(text)) this.#settings.push([name, text, values]);
  }

  protected override enqueue(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<StatementResult> {
    if (this.pending.length === 0)
      for (const setting of this.#settings) this.#count(...setting).catch(ignore);
    return this.#count(name, text, values);
  }

  /** Sends a statement and counts it until it is answered. */
  #count(name: string, text: string, values: readonly unknown[]): Promise<StatementResult> {
    const answer = super.enqueue(name, text, values);
    this.#unanswered += 1;
    const settle = (): void => {
      this.#unanswered -= 1;
      if (this.#unanswered === 0) this.#whenAnswered?.();
    };
    answer.then(settle, settle);
    return answer;
  }

  /** A single statement: each of several would be a separate transaction. */
  override async querySimple(text: string): Promise<object[]> {
    return (await this.query('', text, [])).rows;
  }

  /**
   * Waits for statements in progress. A connection that does not answer as expected is closed
   * rather than returned to the pool.
   * @throws the error of a statement that was not awaited
   */
  async end(): Promise<void> {
    this.flush();
    if (this.#unanswered > 0) {
      await new Promise<void>((resolve) => {
        this.#whenAnswered = resolve;
      });
    }
    if (this.hasFailed) {
      // A failure is reported before the connection is ready again.
      const ready = await this.#count('', 'SELECT', []).catch(() => null);
      if (!ready || !this.pipeline.isIdle) await this.pipeline.destroy();
    }
    if (this.unhandled) throw this.unhandled.error;
  }
}

/** Later statements in the packet fail with it. */
const ignore = (): void => undefined;
