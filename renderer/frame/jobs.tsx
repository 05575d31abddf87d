/** Imports and other long work in the status bar: what runs, its progress, and a link to it. */
import { LoaderCircle } from 'lucide-react';
import { importing } from '../import/import-state.ts';
import { progressWords, shareDone } from '../import/job-progress.tsx';
import {
  isListRun,
  isPrinting,
  isUnderWay,
  useFreshAfterJobs,
  useFreshDuringRuns,
  useJobs,
} from '../import/use-jobs.ts';
import { isOfPhotos } from '../map/add-photos.ts';
import { mapPresence } from '../map/map-state.ts';
import { formatPercent } from '../parts/format.ts';
import { Hint } from '../parts/hint.tsx';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';

export function JobStrip() {
  const jobs = useJobs();
  useFreshAfterJobs(jobs);
  useFreshDuringRuns(jobs);
  const { jobId } = useStore(importing);
  const underWay = jobs.filter(isUnderWay);
  const running = underWay.find(({ state }) => state === 'running') ?? underWay[0];
  if (!running) return null;
  const share = shareDone(running);
  const show = () => {
    if (isListRun(running)) return goTo('lists');
    if (isPrinting(running)) return goTo('print');
    if (isOfPhotos(running)) {
      mapPresence.set({ isLayersOpen: true });
      return goTo('explore');
    }
    // Also follows a job started in another window, or before a reload.
    const isMine = underWay.some(({ job_id: id }) => id === jobId);
    importing.set({ view: 'new', ...(isMine ? {} : { step: 'run', jobId: running.job_id }) });
    goTo('import');
  };
  const more = underWay.length > 1 ? `, ${underWay.length - 1} more` : '';
  return (
    <Hint text={`${running.title}: ${progressWords(running)}`}>
      <button type="button" className="job-strip" onClick={show}>
        <LoaderCircle aria-hidden className="small" />
        <span className="ellipsis job-strip-title">{running.title}</span>
        <span className="num">
          {share === null ? (running.progress?.phase ?? 'begins') : formatPercent(100 * share, 0)}
          {more}
        </span>
        <span className="sr">. Show it</span>
      </button>
    </Hint>
  );
}
