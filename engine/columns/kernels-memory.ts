/**
 * The memory that holds the columns of one county. The types of WebAssembly are declared here: TypeScript has them only
 * with the DOM.
 */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB; answers how many there were. */
  grow(pages: number): number;
}

declare const WebAssembly: {
  readonly Memory: new (limits: { initial: number; maximum: number }) => KernelMemory;
};

const pageBytes = 65_536;

/** One page less than 4 GiB: the end of an array, one byte behind it, is then an offset too. */
const maximumPages = 65_535;

/**
 * A memory of at least `bytes` bytes that can grow to nearly 4 GiB. It is address space only: the system gives a page
 * of it when it is first written.
 */
export const createMemory = (bytes: number): KernelMemory =>
  new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes), maximum: maximumPages });
