/** Writes a book to the disk as its pages are made; the file appears whole or not at all. */
import fs from 'node:fs';
import { writeWhole } from '../exporting/file-sink.ts';
import type { LandStore } from '../store/land-store.ts';
import { type BookReport, type BookTools, makeBook, makePage, type PageReport } from './make-book.ts';
import type { BookOptions } from './plan-book.ts';

interface Written {
  readonly file: string;
  readonly bytes: number;
}
export interface WrittenBook extends BookReport, Written {}

type Tools = Omit<BookTools, 'put'>;

/** Bytes that wait for one write. */
const waitingBytes = 1 << 20;

/**
 * Blocks the event loop: for workers.
 * @throws EngineError validation_error, disk_full, file_read_only …; an earlier file stays then
 */
export const writeBook = (land: LandStore, file: string, options: BookOptions, tools: Tools): Promise<WrittenBook> =>
  writePdf(file, (put) => makeBook(land, options, { ...tools, put }));

/** One map page with its details. @throws EngineError as `writeBook` does */
export const writePage = (
  land: LandStore,
  { file, page }: { readonly file: string; readonly page: string },
  options: BookOptions,
  tools: Tools,
): Promise<PageReport & Written> => writePdf(file, (put) => makePage(land, page, options, { ...tools, put }));

const writePdf = <Report extends object>(
  file: string,
  make: (put: BookTools['put']) => Report,
): Promise<Report & Written> =>
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
