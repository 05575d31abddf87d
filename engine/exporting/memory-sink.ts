/** Collects in memory what an export would write to a file. */
import type { PatchableSink } from './file-sink.ts';

export class MemorySink implements PatchableSink {
  #chunks: Buffer[] = [];
  position = 0;

  put(chunk: string | Uint8Array): void {
    const bytes = Buffer.from(chunk);
    this.#chunks.push(bytes);
    this.position += bytes.length;
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  patch(position: number, bytes: Uint8Array): Promise<void> {
    this.bytes().set(bytes, position);
    return Promise.resolve();
  }

  bytes(): Buffer {
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }
}
