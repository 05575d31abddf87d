/** The running import. It continues when the user leaves the screen. */
import { RotateCw } from 'lucide-react';
import type { JobStatus } from '../../engine/work/import-answers.ts';
import { useClient } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { endingWords } from './ending-words.ts';
import { importing } from './import-state.ts';
import { cancelJob, JobProgressView } from './job-progress.tsx';
import { Foot, Problem, StepBody } from './parts.tsx';
import { isUnderWay } from './use-jobs.ts';

export function RunStep({ job, jobs }: { job: JobStatus | null; jobs: readonly JobStatus[] }) {
  const client = useClient();
  const before = job?.state === 'queued' ? jobs.find(({ state }) => state === 'running') : undefined;
  const isOver = job !== null && !isUnderWay(job);
  const lead = job === null ? null : endingWords(job);
  return (
    <>
      <StepBody label="Import under way">
        {job && isUnderWay(job) ? (
          <JobProgressView job={job} onCancel={() => void cancelJob(client, job.job_id)} />
        ) : null}
        {before ? (
          <p className="quieter">
            It waits for “{before.title}”: what is written is written one after the other. <Waiting job={before} />
          </p>
        ) : null}
        {lead === null ? null : <p className="lead">{lead}</p>}
        {job?.error ? <Problem error={job.error} /> : null}
        {isOver ? null : (
          <p className="quieter">You can go on working: until it is done, answers come from the old data.</p>
        )}
      </StepBody>
      <Foot
        back={
          isOver ? (
            <button
              type="button"
              className="button quiet"
              onClick={() => importing.set(({ what }) => ({ step: what === 'layer' ? 'look' : 'map', jobId: null }))}
            >
              <RotateCw aria-hidden className="small" />
              Back to the settings
            </button>
          ) : null
        }
      >
        {isOver && job.report !== null ? <ToWhatIsIn kind={job.kind} /> : <span />}
      </Foot>
    </>
  );
}

/** For an unfinished job: where to see, complete and undo what was committed. */
function ToWhatIsIn({ kind }: Pick<JobStatus, 'kind'>) {
  if (kind === 'import_contacts') return <span />;
  return kind === 'import_comps' || kind === 'derive_comps' ? (
    <button type="button" className="button" onClick={() => goTo('comps')}>
      See them in Comps
    </button>
  ) : (
    <button type="button" className="button" onClick={() => importing.set({ view: 'loaded' })}>
      What is loaded
    </button>
  );
}

const Waiting = ({ job }: { job: JobStatus }) => {
  const left = job.progress?.seconds_left;
  return left === null || left === undefined ? null : <span className="num">About {left} s left.</span>;
};
