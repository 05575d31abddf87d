/** What was done, how to take it back, and where to go from here. */

import { ChartScatter, Layers, Map as MapIcon, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { checkLines } from '../../engine/spec/import-checks.ts';
import { layerTitle } from '../../engine/spec/layer-titles.ts';
import type {
  EnrichReport,
  ImportReport,
  JobStatus,
  StatewideReport,
  Waiting,
} from '../../engine/work/import-answers.ts';
import { setFields } from '../explore/explore-state.ts';
import { formatNumber, plural } from '../parts/format.ts';
import { useClient } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { Delta } from './dry-run-step.tsx';
import { beginAgain, importing } from './import-state.ts';
import { deriveComps, undoImport } from './import-undo.ts';
import { Foot, StepBody, secondsWords } from './parts.tsx';
import { numbersOf } from './plan-words.ts';
import { WaitingLines } from './waiting-lines.tsx';

export function ReportStep({ job }: { job: JobStatus }) {
  return (
    <>
      <StepBody label="Report" testId="import-report">
        <Report job={job} />
      </StepBody>
      <Foot words={job.title}>
        <button type="button" className="button" data-focus="import-next" onClick={() => beginAgain()}>
          Import another file
        </button>
      </Foot>
    </>
  );
}

function Report({ job }: { job: JobStatus }) {
  if (job.kind === 'import_parcels')
    return <ParcelsReport report={job.report as (ImportReport | StatewideReport) & LeftOut} />;
  if (job.kind === 'enrich_again') return <CompletedReport report={job.report as LeftOut} />;
  if (job.kind === 'enrich') return <LayerReport report={job.report as EnrichReport} />;
  if (job.kind === 'undo_import') return <UndoneReport report={job.report as Record<string, number> & LeftOut} />;
  return <CountsReport report={job.report as Record<string, unknown>} kind={job.kind} />;
}

/** What layers said again of new and redrawn parcels, and what they could not. */
interface LeftOut {
  readonly completed: readonly string[];
  readonly left_out: readonly Waiting[];
}

function ParcelsReport({ report }: { report: (ImportReport | StatewideReport) & LeftOut }) {
  const client = useClient();
  const numbers = numbersOf(report);
  const { new: added, changed, retired, unchanged, recounted } = numbers.counts;
  const importId = numbers.counties.length === 1 ? (numbers.counties[0]?.import_id ?? null) : null;
  const [county] = numbers.counties;
  return (
    <>
      <p className="lead">
        {added + changed + retired + recounted === 0
          ? `Nothing had to be written: all ${formatNumber(unchanged)} parcels are as they were.`
          : `Done in ${secondsWords(report.seconds)}: ${plural(numbers.parcels, 'parcel', 'parcels')}.`}
      </p>
      <Delta numbers={numbers} />
      <WaitingLines waiting={report.left_out} />
      <NextSteps>
        <button type="button" className="button primary" onClick={() => openCounty(county?.fips ?? null)}>
          <MapIcon aria-hidden />
          Open it in Explore
        </button>
        <button
          type="button"
          className="button"
          onClick={() => beginAgain({ what: 'layer', fips: county?.fips ?? null })}
        >
          <Layers aria-hidden />
          Complete it with a layer
        </button>
        {county && (county.coverage.last_sale_price ?? 0) > 0 ? (
          <button type="button" className="button" onClick={() => void deriveComps(client, county.fips)}>
            <ChartScatter aria-hidden />
            Make comps of its sales
          </button>
        ) : null}
        <button
          type="button"
          className="button"
          onClick={() => importing.set({ view: 'missing', fips: county?.fips ?? null })}
        >
          What is missing
        </button>
        {importId === null ? null : (
          <button type="button" className="button" onClick={() => void undoImport(client, importId)}>
            <Undo2 aria-hidden />
            Undo this import
          </button>
        )}
      </NextSteps>
      <ul className="report-lines">
        {checkLines(numbers.counties, numbers.features)
          .filter(({ isWarning }) => isWarning)
          .map(({ id, label, count, words }) => (
            <li key={id}>
              <b className="num">{formatNumber(count)}</b> {label}
              {words ? <span className="quieter">: {words}</span> : null}
            </li>
          ))}
      </ul>
    </>
  );
}

function openCounty(fips: string | null): void {
  if (fips !== null) setFields({ county: fips });
  goTo('explore');
}

const NextSteps = ({ children }: { children: ReactNode }) => <div className="line wrap next-steps">{children}</div>;

function LayerReport({ report }: { report: EnrichReport }) {
  return (
    <>
      <p className="lead">
        {plural(report.parcels, 'parcel', 'parcels')} compared with {report.source} in {secondsWords(report.seconds)}.
      </p>
      {report.notes.map((note) => (
        <p key={note} className="quieter">
          {note}
        </p>
      ))}
      <NextSteps>
        <button type="button" className="button primary" onClick={() => openCounty(report.fips)}>
          <MapIcon aria-hidden />
          Open it in Explore
        </button>
        <button type="button" className="button" onClick={() => beginAgain({ what: 'layer', fips: report.fips })}>
          <Layers aria-hidden />
          Another layer
        </button>
      </NextSteps>
    </>
  );
}

const CompletedReport = ({ report }: { report: LeftOut }) => (
  <>
    <p className="lead">
      {report.completed.length === 0
        ? 'Nothing could be computed.'
        : `Computed again: ${report.completed.map((kind) => layerTitle(kind).toLowerCase()).join(', ')}.`}
    </p>
    <WaitingLines waiting={report.left_out} />
  </>
);

const UndoneReport = ({ report }: { report: Record<string, number> & LeftOut }) => (
  <>
    <p className="lead">
      Taken back: {plural(report.restored ?? 0, 'parcel stands', 'parcels stand')} again as before,{' '}
      {formatNumber(report.removed ?? 0)} that were new are gone.
    </p>
    <WaitingLines waiting={report.left_out} />
    <NextSteps>
      <button type="button" className="button" onClick={() => importing.set({ view: 'loaded' })}>
        What is loaded
      </button>
    </NextSteps>
  </>
);

/** Comps and contacts: whatever was counted, by its name. */
function CountsReport({ report, kind }: { report: Record<string, unknown>; kind: string }) {
  const counts = Object.entries(report).flatMap(([name, value]) => {
    if (typeof value === 'number' && name !== 'seconds') return [[name, value] as const];
    const nested = (value as { count?: unknown } | null)?.count;
    return typeof nested === 'number' ? [[name, nested] as const] : [];
  });
  return (
    <>
      <p className="lead">Done{typeof report.seconds === 'number' ? ` in ${secondsWords(report.seconds)}` : ''}.</p>
      <dl className="report-counts">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd className="num">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      {kind === 'import_comps' || kind === 'derive_comps' ? (
        <NextSteps>
          <button type="button" className="button primary" onClick={() => goTo('comps')}>
            See them in Comps
          </button>
        </NextSteps>
      ) : null}
    </>
  );
}
