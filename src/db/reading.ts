import { type Heard, Talk } from './conversation.ts';
import { mayChange } from './statements/kind.ts';
import { nameOf } from './statements/names.ts';
import type { StatementAnswer } from './wire/round.ts';

/** Sets the project and the time limit of a packet as in those before it. */
const enterText = `SELECT set_config('app.project_id', $1, true), set_config('statement_timeout', $2, true)`;

/** A setting of the transaction: `SELECT set_config(…, true)`, told and not asked for. */
const setting = /^SELECT set_config\(/;

/**
 * The messages on a connection that only reads. No BEGIN or COMMIT is sent: Postgres makes a
 * transaction of each packet, which ends at its Sync. A read that needs one packet takes one exchange,
 * and no transaction stays open between two. Settings are sent again with each packet; a lock lasts for
 * one packet.
 */
export class Reading extends Talk {
  #settings: [name: string, text: string, values: readonly unknown[]][] = [];
  #unanswered = 0;
  #whenAnswered: (() => void) | null = null;

  /** Restricts all later packets to a project; the current one has already done so. */
  stayBehind(projectId: string, seconds: number): void {
    this.#settings.unshift([nameOf(enterText), enterText, [projectId, `${seconds}s`]]);
  }

  override ask(name: string, text: string, values: readonly unknown[]): Promise<StatementAnswer> {
    if (mayChange(text)) throw new Error(`A read-only transaction cannot write: ${text}`);
    return super.ask(name, text, values);
  }

  override tell(name: string, text: string, values: readonly unknown[], heard?: Heard): void {
    super.tell(name, text, values, heard);
    if (setting.test(text)) this.#settings.push([name, text, values]);
  }

  protected override say(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<StatementAnswer> {
    if (this.said.length === 0)
      for (const told of this.#settings) this.#count(...told).catch(ignore);
    return this.#count(name, text, values);
  }

  /** Sends a statement and counts it until it is answered. */
  #count(name: string, text: string, values: readonly unknown[]): Promise<StatementAnswer> {
    const answer = super.say(name, text, values);
    this.#unanswered += 1;
    const settle = (): void => {
      this.#unanswered -= 1;
      if (this.#unanswered === 0) this.#whenAnswered?.();
    };
    answer.then(settle, settle);
    return answer;
  }

  /** A single statement: each of several would be a transaction of its own. */
  override async askPlainly(text: string): Promise<object[]> {
    return (await this.ask('', text, [])).rows;
  }

  /**
   * Waits for statements in progress. A connection that does not answer as expected is closed rather
   * than returned to the pool.
   * @throws the error of a statement that nothing waited for
   */
  async end(): Promise<void> {
    this.leave();
    if (this.#unanswered > 0) {
      await new Promise<void>((resolve) => {
        this.#whenAnswered = resolve;
      });
    }
    if (this.hasFailed) {
      // A failure is reported before the connection is ready again.
      const ready = await this.#count('', 'SELECT', []).catch(() => null);
      if (!ready || !this.line.isIdle) await this.line.breakOff();
    }
    if (this.unheard) throw this.unheard.error;
  }
}

/** What follows it in the packet fails with it. */
const ignore = (): void => undefined;
