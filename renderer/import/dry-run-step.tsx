/** The dry run: the import's counts, and every problem with its row. */

import { Check, Download, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type CheckLine, checkLines } from '../../engine/spec/import-checks.ts';
import type { ImportReport, JobStatus, StatewideReport } from '../../engine/work/import-answers.ts';
import { saveFile } from '../export/save-file.ts';
import { formatNumber, plural } from '../parts/format.ts';
import { Tick } from '../parts/tick.tsx';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { DryRunAside } from './dry-run-aside.tsx';
import { FillTable } from './fill-table.tsx';
import { startRun } from './import-flow.ts';
import { fileName, type ImportState, importing } from './import-state.ts';
import { cancelJob, JobProgressView } from './job-progress.tsx';
import { Foot, NextButtons, Problem, StepBody } from './parts.tsx';
import { hasRows, numbersOf, type PlanNumbers, problemRows } from './plan-words.ts';
import { isUnderWay } from './use-jobs.ts';
import { windowWords } from './window-words.ts';

export function DryRunStep({ job }: { job: JobStatus | null }) {
  const client = useClient();
  const state = useStore(importing);
  const { busy } = state;
  const report =
    job?.state === 'done' ? (job.report as (ImportReport | StatewideReport) & { problem_rows?: number }) : null;
  const numbers = report ? numbersOf(report) : null;
  const isBlockedByNewer = numbers !== null && replacesNewer(numbers) && !state.takesOlder;
  const isReady = numbers !== null && canRun(numbers, state) && busy === null;
  return (
    <>
      <div className="import-body">
        <StepBody label="Dry run">
          {job && isUnderWay(job) ? (
            <JobProgressView job={job} onCancel={() => void cancelJob(client, job.job_id)} />
          ) : null}
          {job?.error ? <Problem error={job.error} /> : null}
          {job?.state === 'cancelled' ? <p className="lead">Cancelled. Nothing was written.</p> : null}
          {numbers ? <Plan numbers={numbers} problemCount={report?.problem_rows ?? 0} /> : null}
        </StepBody>
        {report && numbers ? <DryRunAside report={report} numbers={numbers} /> : null}
      </div>
      <Foot
        words={
          isBlockedByNewer ? 'The data that is loaded is newer: tick above that this file may replace it.' : undefined
        }
        back={
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              if (job && isUnderWay(job)) void cancelJob(client, job.job_id);
              importing.set({ step: 'map', jobId: null, error: null });
            }}
          >
            Back to the mapping
          </button>
        }
      >
        <NextButtons isReady={isReady} onNext={() => void startRun(client)}>
          {numbers ? `Import ${plural(numbers.parcels, 'parcel', 'parcels')}` : 'Import'}
        </NextButtons>
      </Foot>
    </>
  );
}

/** Reports of earlier versions do not say it. */
const replacesNewer = ({ counties }: PlanNumbers): boolean =>
  counties.some(({ replaces_newer: newer = null }) => newer !== null);

const canRun = (numbers: PlanNumbers, { isAdding, jurisdiction, takesOlder }: ImportState): boolean =>
  numbers.parcels + numbers.counts.retired > 0 &&
  !(isAdding && jurisdiction.trim() === '') &&
  (takesOlder || !replacesNewer(numbers));

const isSame = ({ counts }: PlanNumbers): boolean =>
  counts.unchanged > 0 && counts.new + counts.changed + counts.retired + counts.recounted === 0;

export function Delta({ numbers }: { numbers: PlanNumbers }) {
  const { counts, refused } = numbers;
  const cells = [
    { label: 'new', count: counts.new },
    { label: 'changed', count: counts.changed },
    { label: 'unchanged', count: counts.unchanged },
    { label: 'retired, notes kept', count: counts.retired },
    { label: 'refused', count: refused, isBad: refused > 0 },
  ];
  return (
    <dl className="delta" data-testid="delta">
      {cells.map(({ label, count, isBad = false }) => (
        <div key={label} data-bad={isBad}>
          <dt>{label}</dt>
          <dd className="num">{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Plan({ numbers, problemCount }: { numbers: PlanNumbers; problemCount: number }) {
  const [kind, setKind] = useState<string | null>(null);
  const lines = checkLines(numbers.counties, numbers.features);
  const none = lines.filter(({ count }) => count === 0).map(({ label }) => label);
  return (
    <>
      <p className="lead" data-testid="plan-lead">
        Nothing has been written yet. <b className="num">{plural(numbers.parcels, 'parcel', 'parcels')}</b> of{' '}
        {plural(numbers.candidates, 'row', 'rows')} can go in.
        {isSame(numbers) ? ' All are loaded just so: the import would write nothing.' : ''}
      </p>
      {replacesNewer(numbers) ? <OlderTick /> : null}
      <Delta numbers={numbers} />
      <div className="boxed">
        <table className="import-table check-table stacked" aria-label="What the dry run looked at">
          <tbody>
            {lines
              .filter(({ count }) => count > 0)
              .map((line) => (
                <CheckRow
                  key={line.id}
                  line={line}
                  isShown={kind === line.id}
                  onShow={() => setKind(kind === line.id ? null : line.id)}
                />
              ))}
          </tbody>
        </table>
      </div>
      <FillTable reports={numbers.counties} />
      <ProblemTable
        rows={problemRows(numbers, kind)}
        count={problemCount}
        kind={lines.find(({ id }) => id === kind)?.label ?? null}
      />
      {none.length === 0 ? null : (
        <p className="quieter" data-testid="none-found">
          Looked for too, and none found: {none.map(lowerFirst).join('; ')}.
        </p>
      )}
    </>
  );
}

/** Not of an abbreviation: APNs. */
const lowerFirst = (label: string): string => label.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());

function OlderTick() {
  const { takesOlder } = useStore(importing);
  return (
    <Tick
      label="Let this older file replace the newer data that is loaded"
      isOn={takesOlder}
      onChange={(isOn) => importing.set({ takesOlder: isOn })}
    />
  );
}

const CheckRow = ({ line, isShown, onShow }: { line: CheckLine; isShown: boolean; onShow: () => void }) => (
  <tr>
    <td>
      {line.isWarning ? (
        <TriangleAlert aria-label="To be looked at" className="small warns" />
      ) : (
        <Check aria-label="In order" className="small fine" />
      )}
    </td>
    <td>{line.label}</td>
    <td className="n strong">{formatNumber(line.count)}</td>
    <td className="quieter whole">{windowWords(line.words)}</td>
    <td>
      {hasRows(line.id) && line.count > 0 ? (
        <button
          type="button"
          className="button quiet"
          aria-pressed={isShown}
          aria-label={`Show ${line.label}`}
          onClick={onShow}
        >
          {isShown ? 'Show all' : 'Show'}
        </button>
      ) : null}
    </td>
  </tr>
);

const rowsShown = 100;

function ProblemTable({
  rows,
  count,
  kind,
}: {
  rows: ReturnType<typeof problemRows>;
  count: number;
  kind: string | null;
}) {
  const client = useClient();
  const section = useRef<HTMLElement>(null);
  // Its button stands above the filled columns, far from the rows in a small window.
  useEffect(() => {
    if (kind !== null) section.current?.scrollIntoView({ block: 'nearest' });
  }, [kind]);
  const save = async () => {
    try {
      saveFile(await client.read('save_problems', {}));
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  };
  if (rows.length === 0) return null;
  const shown = rows.slice(0, rowsShown);
  return (
    <section ref={section} aria-label="Rows with a problem">
      <div className="line wrap problem-head">
        <h2>{kind ?? 'Rows with a problem'}</h2>
        <span className="quieter num">
          {kind === null && count > shown.length
            ? `first ${formatNumber(shown.length)} of ${formatNumber(count)}`
            : plural(shown.length, 'row', 'rows')}
        </span>
        <span className="grow" />
        <button type="button" className="button" onClick={() => void save()}>
          <Download aria-hidden />
          Problem rows, CSV
        </button>
      </div>
      <div className="boxed">
        <table className="import-table problem-table stacked">
          <thead>
            <tr>
              <th>File</th>
              <th className="n">Row</th>
              <th>Column</th>
              <th>Value</th>
              <th>Reason</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ file, row, column, value, reason }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row may have several problems, and the list never changes
              <tr key={i}>
                <td className="quieter ellipsis" title={file}>
                  {fileName(file)}
                </td>
                <td className="n" data-head="row">
                  {formatNumber(row)}
                </td>
                <td className="mono">{column}</td>
                <td className="mono ellipsis" title={value}>
                  {plainValue(value)}
                </td>
                <td className="quieter whole">{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Removes the engine's quotes from texts without blanks at their ends. */
const plainValue = (value: string): string => (/^"[^"\s](?:[^"]*[^"\s])?"$/.test(value) ? value.slice(1, -1) : value);
