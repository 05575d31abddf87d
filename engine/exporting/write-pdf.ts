/** Writes a PDF to the disk as its pages are made; the file appears whole or not at all. */
import fs from 'node:fs';
import { writeWhole } from './file-sink.ts';

export interface WrittenPdf {
  readonly file: string;
  readonly bytes: number;
}

/** Bytes that wait for one write. */
const waitingBytes = 1 << 20;

/** Blocks the event loop: for workers. @throws EngineError disk_full, file_read_only …; an earlier file stays then */
export const writePdf = <Report extends object>(
  file: string,
  make: (put: (bytes: Uint8Array) => void) => Report,
): Promise<Report & WrittenPdf> =>
  writeWhole(file, async (temporary) => {
    const handle = fs.openSync(temporary, 'wx', 0o600);
    try {
      let waiting: Uint8Array[] = [];
      let [length, bytes] = [0, 0];
      const flush = (): void => {
        const whole = Buffer.concat(waiting);
        // One call may write only a part.
        for (let at = 0; at < whole.length; ) at += fs.writeSync(handle, whole, at);
        waiting = [];
        length = 0;
      };
      const report = make((piece) => {
        waiting.push(piece);
        length += piece.length;
        bytes += piece.length;
        if (length >= waitingBytes) flush();
      });
      flush();
      fs.fsyncSync(handle);
      return { ...report, file, bytes };
    } finally {
      fs.closeSync(handle);
    }
  });
