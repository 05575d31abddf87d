/** Import: the wizard, what is loaded, and what is missing. */
import { useEffect } from 'react';
import type { JobStatus } from '../../engine/work/import-answers.ts';
import { formatNumber, plural } from '../parts/format.ts';
import { Segments } from '../parts/segments.tsx';
import { useClient } from '../state/client-context.tsx';
import { openedFiles } from '../state/opened-files.ts';
import { useStore } from '../state/store.ts';
import { ChooseStep } from './choose-step.tsx';
import { DryRunStep } from './dry-run-step.tsx';
import { formatName } from './file-words.ts';
import { lookAtChosen } from './import-flow.ts';
import {
  beginAgain,
  fileName,
  type ImportState,
  type ImportView,
  importing,
  mainLayer,
  mainLook,
} from './import-state.ts';
import { ListMapStep } from './list-map-step.tsx';
import { LoadedView } from './loaded-view.tsx';
import { LookStep } from './look-step.tsx';
import { MapStep } from './map-step.tsx';
import { MissingView } from './missing-view.tsx';
import { StepHeading, Steps } from './parts.tsx';
import { ReportStep } from './report-step.tsx';
import { RunStep } from './run-step.tsx';
import { useJobs } from './use-jobs.ts';

const views = [
  { value: 'new', label: 'A file' },
  { value: 'loaded', label: 'Loaded' },
  { value: 'missing', label: 'Where to get data' },
] as const satisfies readonly { value: ImportView; label: string }[];

export function ImportScreen() {
  const state = useStore(importing);
  const { view, step, jobId, changesOf } = state;
  const jobs = useJobs();
  const job = jobs.find(({ job_id: id }) => id === jobId) ?? null;
  const isDone = step === 'run' && job?.state === 'done';
  useEffect(() => {
    if (isDone) importing.set({ step: 'report' });
  }, [isDone]);
  useOpenedFiles();
  const isInWizard = view === 'new' && step !== 'choose';
  return (
    <section className="page import" aria-label="Import">
      <header className="page-head">
        <StepHeading step={`${view} ${step} ${changesOf ?? ''}`}>Import</StepHeading>
        <span className="quieter ellipsis import-about" title={state.chosen.join(', ')}>
          {isInWizard ? aboutWords(state) : ''}
        </span>
        <span className="grow" />
        {isInWizard ? <Steps at={step} /> : null}
        {isInWizard ? null : (
          <Segments
            label="Import view"
            value={view}
            choices={views}
            onChange={(value) => importing.set({ view: value, changesOf: null })}
          />
        )}
      </header>
      {view === 'loaded' ? <LoadedView /> : view === 'missing' ? <MissingView /> : <WizardStep job={job} jobs={jobs} />}
    </section>
  );
}

/** Files opened with the app or dropped on it restart the wizard from any step. */
function useOpenedFiles(): void {
  const client = useClient();
  const { paths } = useStore(openedFiles);
  useEffect(() => {
    if (paths.length === 0) return;
    openedFiles.set({ paths: [] });
    beginAgain({ chosen: paths });
    void lookAtChosen(client);
  }, [paths, client]);
}

function WizardStep({ job, jobs }: { job: JobStatus | null; jobs: readonly JobStatus[] }) {
  const { step, what } = useStore(importing);
  if (step === 'choose') return <ChooseStep />;
  if (step === 'look') return <LookStep />;
  if (step === 'map') return what === 'parcels' ? <MapStep /> : <ListMapStep />;
  if (step === 'dryrun') return <DryRunStep job={job} />;
  return step === 'report' && job?.state === 'done' ? <ReportStep job={job} /> : <RunStep job={job} jobs={jobs} />;
}

/** `wrenfield_2026.zip, Shapefile, 2,046 rows, 23 columns` */
function aboutWords(state: ImportState): string {
  const look = mainLook(state);
  const layer = mainLayer(state);
  if (!look) return state.chosen.map(fileName).join(', ');
  const more = state.looks.length > 1 ? ` and ${formatNumber(state.looks.length - 1)} more` : '';
  if (!layer) return fileName(look.path);
  const { format, rows, columns } = layer;
  const facts = [
    `${fileName(look.path)}${more}`,
    formatName(format),
    ...(rows === null ? [] : [plural(rows, 'row', 'rows')]),
    ...(columns.length === 0 ? [] : [plural(columns.length, 'column', 'columns')]),
  ];
  return facts.join(', ');
}
