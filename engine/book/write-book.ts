/** Writes a book to the disk as its pages are made; the file appears whole or not at all. */
import { type WrittenPdf, writePdf } from '../exporting/write-pdf.ts';
import type { LandStore } from '../store/land-store.ts';
import { type BookReport, type BookTools, makeBook, makePage, type PageReport } from './make-book.ts';
import type { BookOptions } from './plan-book.ts';

export interface WrittenBook extends BookReport, WrittenPdf {}

type Tools = Omit<BookTools, 'put'>;

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
): Promise<PageReport & WrittenPdf> => writePdf(file, (put) => makePage(land, page, options, { ...tools, put }));
