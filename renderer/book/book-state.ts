/** The choices for a plat book: what it shows and how; and the requests for a page and for the whole. */
import type { PaperName } from '../../engine/spec/sheet-paper.ts';
import type { JobStatus } from '../../engine/work/import-answers.ts';
import type { ChangeInputOf } from '../../engine/work/index.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { ExportWhat } from '../export/export-state.ts';
import { pdfOpener } from '../export/open-pdf.ts';
import { saveFile } from '../export/save-file.ts';
import { isUnderWay, refreshJobs } from '../import/use-jobs.ts';
import { createStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';

type BookInput = ChangeInputOf<'start_book'>;

interface BookChoices {
  /** A key of `useBookSources`. */
  readonly source: string;
  /** Null: as the land needs. */
  readonly scale: number | null;
  readonly paper: PaperName;
  readonly pages: 'grid' | 'townships';
  /** 6000: crowded parts are drawn up to 1:6,000; 0: nowhere. */
  readonly details: number;
}

interface BookState extends BookChoices {
  /** Asked for each book, and never remembered. */
  readonly names: 'with' | 'without' | null;
  readonly title: string;
  /** The map page to look at; null: the first. */
  readonly page: string | null;
  readonly isLooking: boolean;
}

export const book = createStore<BookState>(
  'platbook.book',
  {
    source: '',
    scale: null,
    paper: 'letter',
    pages: 'grid',
    details: 6000,
    names: null,
    title: '',
    page: null,
    isLooking: false,
  },
  { lost: ['names', 'title', 'page', 'isLooking'] },
);

/** What pages depend on. */
export const planInput = (of: ExportWhat, { scale, paper, pages, details }: BookChoices) => ({
  ...{ of, paper, pages, details },
  ...(scale !== null && { scale }),
});

function bookInput(of: ExportWhat): BookInput {
  const { names, title, ...choices } = book.get();
  const given = title.trim();
  return { ...planInput(of, choices), names: names === 'with', ...(given !== '' && { title: given }) };
}

const say = (error: unknown): void => toast(error instanceof Error ? error.message : String(error));

export async function lookAtPage(client: EngineClient, of: ExportWhat, page: string): Promise<void> {
  const opener = pdfOpener();
  book.set({ isLooking: true });
  try {
    const data = await client.read('book_page', { ...bookInput(of), page });
    if (!(await opener.show(data.id))) saveFile(data);
  } catch (error) {
    opener.giveUp();
    say(error);
  } finally {
    book.set({ isLooking: false });
  }
}

export async function makeBook(client: EngineClient, of: ExportWhat): Promise<void> {
  try {
    await client.change('start_book', bookInput(of));
    await refreshJobs();
  } catch (error) {
    say(error);
  }
}

const isBook = ({ kind }: Pick<JobStatus, 'kind'>): boolean => kind === 'plat_book';

/** The book under way, else the one made last; undefined: none yet. */
export const shownBook = (jobs: readonly JobStatus[]): JobStatus | undefined =>
  jobs.filter(isBook).find(isUnderWay) ?? jobs.find(isBook);

/** The job's report names the file on the shelf: its folder is the id by which it is fetched. */
export function madeBook(file: string): { readonly id: string; readonly name: string } | null {
  const [, id, name] = /[\\/]([0-9a-f]{32})[\\/]([^\\/]+)$/.exec(file) ?? [];
  return id === undefined || name === undefined ? null : { id, name };
}
