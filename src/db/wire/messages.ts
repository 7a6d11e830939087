/** A parameter as it is sent: text, bytes, or null. */
export type ParameterValue = string | Buffer | null;

const initialBytes = 16 * 1024;
/** A buffer that grew beyond this for one large packet is discarded. */
const maxRetainedBytes = 1024 * 1024;

const parseCode = 0x50;
const bindCode = 0x42;
const closeCode = 0x43;
const statementKind = 0x53;
/** Describe the unnamed portal. */
const describeMessage = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0]);
/** Execute the unnamed portal to its end. */
const executeMessage = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
const syncMessage = Buffer.from([0x53, 0, 0, 0, 4]);

/**
 * Writes messages of the extended query protocol into one buffer, so that they are sent in one
 * write. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(initialBytes);
  #end = 0;

  /** Prepares a statement; Postgres infers the types of its parameters. */
  parse(name: string, text: string): void {
    const length = this.#begin(parseCode);
    this.#string(name);
    this.#string(text);
    this.#int16(0);
    this.#finish(length);
  }

  /** Frees the name of a prepared statement. An unused name is not an error. */
  closeStatement(name: string): void {
    const length = this.#begin(closeCode);
    this.#room(1);
    this.#bytes[this.#end++] = statementKind;
    this.#string(name);
    this.#finish(length);
  }

  /** Binds values to a prepared statement: bytes in binary, everything else and all results as text. */
  bind(name: string, values: readonly ParameterValue[]): void {
    const length = this.#begin(bindCode);
    this.#string('');
    this.#string(name);
    this.#int16(values.length);
    for (const value of values) this.#int16(Buffer.isBuffer(value) ? 1 : 0);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(0);
    this.#finish(length);
  }

  describe(): void {
    this.#append(describeMessage);
  }

  execute(): void {
    this.#append(executeMessage);
  }

  sync(): void {
    this.#append(syncMessage);
  }

  /** Returns the bytes written so far, and clears the buffer. */
  take(): Buffer {
    const written = Buffer.from(this.#bytes.subarray(0, this.#end));
    this.clear();
    return written;
  }

  clear(): void {
    this.#end = 0;
    if (this.#bytes.length > maxRetainedBytes) this.#bytes = Buffer.allocUnsafe(initialBytes);
  }

  #room(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + bytes));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }

  /** Begins a message and returns the position of its length. */
  #begin(code: number): number {
    this.#room(5);
    this.#bytes[this.#end] = code;
    this.#end += 5;
    return this.#end - 4;
  }

  #finish(length: number): void {
    this.#bytes.writeInt32BE(this.#end - length, length);
  }

  #int16(value: number): void {
    this.#room(2);
    this.#end = this.#bytes.writeUInt16BE(value, this.#end);
  }

  #string(text: string): void {
    // UTF-8 takes at most three bytes for each UTF-16 code unit.
    this.#room(text.length * 3 + 1);
    this.#end += this.#bytes.write(text, this.#end, 'utf8');
    this.#bytes[this.#end++] = 0;
  }

  #value(value: ParameterValue): void {
    if (value === null) {
      this.#room(4);
      this.#end = this.#bytes.writeInt32BE(-1, this.#end);
    } else if (typeof value === 'string') {
      this.#room(value.length * 3 + 4);
      const written = this.#bytes.write(value, this.#end + 4, 'utf8');
      this.#end = this.#bytes.writeInt32BE(written, this.#end) + written;
    } else {
      this.#room(value.length + 4);
      this.#end = this.#bytes.writeInt32BE(value.length, this.#end);
      this.#append(value);
    }
  }

  #append(bytes: Buffer): void {
    this.#room(bytes.length);
    this.#end += bytes.copy(this.#bytes, this.#end);
  }
}
