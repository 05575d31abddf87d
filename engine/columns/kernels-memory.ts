/**
 * The memory that holds the columns of one county. Declares the WebAssembly types, which TypeScript only has with the
 * DOM.
 */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB; returns the previous count. */
  grow(pages: number): number;
}

declare const WebAssembly: {
  readonly Memory: new (limits: { initial: number; maximum: number }) => KernelMemory;
};

const pageBytes = 65_536;

/** One page less than 4 GiB: the offset one byte past the end still fits. */
const maximumPages = 65_535;

/**
 * A memory of at least `bytes` bytes that can grow to nearly 4 GiB. It reserves address space only: the system commits
 * a page on its first write.
 */
export const createMemory = (bytes: number): KernelMemory =>
  new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes), maximum: maximumPages });
