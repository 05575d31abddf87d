/** One page to look at, the whole book, its progress, and what came of it. */

import { Eye, Printer } from 'lucide-react';
import { bytesWords } from '../../engine/spec/bytes-words.ts';
import { classWords, type HoldingClasses } from '../../engine/spec/holding-classes.ts';
import type { JobStatus } from '../../engine/work/import-answers.ts';
import { MadePdfButtons } from '../export/made-pdf.tsx';
import { endingWords } from '../import/ending-words.ts';
import { cancelJob, JobProgressView } from '../import/job-progress.tsx';
import { isUnderWay, useJobs } from '../import/use-jobs.ts';
import { plural } from '../parts/format.ts';
import { plainOptions, Select } from '../parts/select.tsx';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { book, lookAtPage, madeBook, makeBook, shownBook } from './book-state.ts';
import { sizeWords } from './plan-words.tsx';
import type { UsedPlan } from './use-book-plan.ts';
import type { BookSource } from './use-book-sources.ts';

interface BookFootProps {
  readonly chosen: BookSource | null;
  readonly used: UsedPlan;
  /** The page to look at. */
  readonly page: string | null;
}

export function BookFoot({ chosen, used, page }: BookFootProps) {
  const client = useClient();
  const book = shownBook(useJobs());
  if (book && isUnderWay(book)) {
    return (
      <footer className="pane-foot book-foot">
        <JobProgressView job={book} onCancel={() => void cancelJob(client, book.job_id)} />
      </footer>
    );
  }
  return (
    <footer className="pane-foot book-foot">
      {book ? <Outcome job={book} /> : null}
      <Buttons chosen={chosen} used={used} page={page} />
    </footer>
  );
}

function Buttons({ chosen, used: { plan, isCurrent }, page }: BookFootProps) {
  const client = useClient();
  const { names, isLooking } = useStore(book);
  const isReady = chosen !== null && isCurrent && names !== null;
  return (
    <>
      {plan && page !== null ? (
        <div className="line">
          <button
            type="button"
            className="button"
            disabled={!isReady || isLooking}
            onClick={() => chosen && void lookAtPage(client, chosen.what, page)}
          >
            <Eye aria-hidden />
            {isLooking ? `Drawing ${page} …` : 'Look at page'}
          </button>
          <span className="field book-page">
            <Select
              aria-label="Page to look at"
              value={page}
              options={plainOptions(plan.frames.map(({ name }) => name))}
              onChange={(page) => book.set({ page })}
            />
          </span>
        </div>
      ) : null}
      <button
        type="button"
        className="button primary"
        disabled={!isReady}
        onClick={() => chosen && void makeBook(client, chosen.what)}
      >
        <Printer aria-hidden />
        Make the book
      </button>
      <p className="small-text quieter">
        {names === null ? 'First choose whether it names owners.' : plan ? sizeWords(plan) : null}
      </p>
    </>
  );
}

/** What the window shows of the report of the job. */
interface Report {
  readonly file: string;
  readonly bytes: number;
  readonly pages: number;
  readonly holdings: number;
  readonly has_names: boolean;
  readonly classes: HoldingClasses;
  readonly notes: readonly string[];
}

function Outcome({ job }: { job: JobStatus }) {
  const { state, error } = job;
  if (state !== 'done')
    return (
      <p role="status">
        {state === 'cancelled' ? (endingWords(job) ?? '') : `The book was not made. ${error?.message ?? ''}`}
      </p>
    );
  const { file, bytes, pages, holdings, has_names: hasNames, classes, notes } = job.report as Report;
  const made = madeBook(file);
  if (!made) return null;
  return (
    <section className="book-made" aria-label="The book made last">
      <p role="status">
        <b className="strong">{made.name}</b>: {plural(pages, 'page', 'pages')}, {bytesWords(bytes)}
      </p>
      <p className="small-text quieter">
        {plural(holdings, hasNames ? 'holding' : 'parcel', hasNames ? 'holdings' : 'parcels')}:{' '}
        {classWords(classes, hasNames)}. {notes.join(' ')}
      </p>
      <MadePdfButtons made={made} />
    </section>
  );
}
