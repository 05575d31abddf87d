/** The kernels as WebAssembly, built in memory from the sources in engine/columns/assembly. */
export function buildKernels(): Promise<Uint8Array>;
