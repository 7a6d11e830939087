/** The memory of a module of WebAssembly. */
export interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of the JavaScript API of WebAssembly that is used here. The types lack it. */
interface Api {
  Memory: new (size: { initial: number }) => Memory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (
    module: object,
    imports: { env: { memory: Memory } },
  ) => { exports: Record<string, unknown> };
}

const isApi = (value: unknown): value is Api =>
  typeof value === 'object' && value !== null && 'Memory' in value && 'Instance' in value;

const api: unknown = Reflect.get(globalThis, 'WebAssembly');
if (!isApi(api)) throw new Error('Node was started without WebAssembly.');

export const createMemory = (pages: number): Memory => new api.Memory({ initial: pages });

/** Returns the exports of a module that uses a memory. */
export const instantiate = (file: Uint8Array, memory: Memory): Record<string, unknown> =>
  new api.Instance(new api.Module(file), { env: { memory } }).exports;
