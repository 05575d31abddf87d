/** The import under way. It goes on when the screen is left. */
import { RotateCw } from 'lucide-react';
import type { JobStatus } from '../../engine/work/import-answers.ts';
import { useClient } from '../state/client-context.tsx';
import { importing } from './import-state.ts';
import { cancelJob, JobProgressView } from './job-progress.tsx';
import { Foot, Problem, StepBody } from './parts.tsx';
import { isUnderWay } from './use-jobs.ts';

export function RunStep({ job, jobs }: { job: JobStatus | null; jobs: readonly JobStatus[] }) {
  const client = useClient();
  const before = job?.state === 'queued' ? jobs.find(({ state }) => state === 'running') : undefined;
  const isOver = job !== null && !isUnderWay(job);
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
        {job?.error ? (
          <>
            <p className="lead">It did not go in. Everything is as it was.</p>
            <Problem error={job.error} />
          </>
        ) : null}
        {job?.state === 'cancelled' ? (
          <p className="lead">
            {job.report === null
              ? 'Cancelled. Everything is as it was.'
              : 'Cancelled while layers were completed: what was imported is in, and can be undone under Loaded.'}
          </p>
        ) : null}
        {isOver ? null : (
          <p className="quieter">You can go on working: answers come from the data of before until it is done.</p>
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
        <span />
      </Foot>
    </>
  );
}

const Waiting = ({ job }: { job: JobStatus }) => {
  const left = job.progress?.seconds_left;
  return left === null || left === undefined ? null : <span className="num">About {left} s left.</span>;
};
