/** The result, how to undo it, and the next steps. */

import { ChartScatter, Layers, Map as MapIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  type CountedComps,
  compImportLines,
  type TestedCounties,
  testedLines,
} from '../../engine/spec/comp-import-lines.ts';
import { type CountedContacts, contactImportLines } from '../../engine/spec/contact-import-lines.ts';
import { checkLines } from '../../engine/spec/import-checks.ts';
import { isMapOnly, layerTitle } from '../../engine/spec/layer-titles.ts';
import type {
  EnrichReport,
  ImportReport,
  JobStatus,
  StatewideReport,
  UndoReport,
  Waiting,
} from '../../engine/work/import-answers.ts';
import { setFields } from '../explore/explore-state.ts';
import { formatNumber, plural } from '../parts/format.ts';
import { useClient, useRead } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { SeeChanges } from './changes-view.tsx';
import { Delta } from './dry-run-step.tsx';
import { FillTable } from './fill-table.tsx';
import { beginAgain, importing } from './import-state.ts';
import { deriveComps } from './import-undo.ts';
import { Foot, Problem, StepBody, secondsWords } from './parts.tsx';
import { numbersOf } from './plan-words.ts';
import { UndoButtons } from './undo-button.tsx';
import { WaitingLines } from './waiting-lines.tsx';
import { windowWords } from './window-words.ts';

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
  if (job.kind === 'undo_import') return <UndoneReport report={job.report as UndoReport & LeftOut} />;
  if (job.kind === 'import_contacts') return <ContactsReport report={job.report as ContactsReportProps['report']} />;
  if (job.kind === 'import_comps')
    return <CompsReport report={job.report as Parameters<typeof CompsReport>[0]['report']} />;
  return <CountsReport report={job.report as Record<string, unknown>} kind={job.kind} />;
}

/** With the numbers of its line under What was done. */
function UndoThis({ importId }: { importId: number }) {
  const { data } = useRead('datasets', {});
  const one = data?.imports.find(({ import_id: id }) => id === importId);
  if (!one) return null;
  return (
    <>
      {one.can_undo && one.parcels > 0 ? <SeeChanges importId={importId} /> : null}
      <UndoButtons one={one} label="Undo this import" />
    </>
  );
}

/** Layers recomputed for new and redrawn parcels, and those that could not be. */
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
        {importId === null ? null : <UndoThis importId={importId} />}
      </NextSteps>
      <FillTable reports={numbers.counties} />
      <ul className="report-lines">
        {checkLines(numbers.counties, numbers.features)
          .filter(({ isWarning }) => isWarning)
          .map(({ id, label, count, words }) => (
            <li key={id}>
              <b className="num">{formatNumber(count)}</b> {label}
              {words ? <span className="quieter">: {windowWords(words)}</span> : null}
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
        {isMapOnly(report.kind)
          ? `${report.title}: ${plural(report.reading?.features_kept ?? 0, 'feature', 'features')} for the map, from ${report.source}.`
          : `${layerTitle(report.kind)}: known for ${formatNumber(report.computed)} of ${plural(report.parcels, 'parcel', 'parcels')}, from ${report.source}.`}
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

const UndoneReport = ({ report }: { report: UndoReport & LeftOut }) => (
  <>
    <p className="lead">
      {report.is_redone ? 'Done again' : 'Taken back'}: what{' '}
      {report.action === 'delete' ? 'the deletion' : `import ${report.import_id}`} did to{' '}
      {plural(report.parcels, 'parcel', 'parcels')}.
    </p>
    <WaitingLines waiting={report.left_out} />
    <NextSteps>
      <button type="button" className="button" onClick={() => importing.set({ view: 'loaded' })}>
        What is loaded
      </button>
    </NextSteps>
  </>
);

/** What the comps did to the values of their counties. */
const TestedLines = ({ tests }: { tests: TestedCounties }) =>
  testedLines(tests).map(({ words, isWorse }) =>
    isWorse ? <Problem key={words} error={{ message: words }} /> : <p key={words}>{words}</p>,
  );

function CompsReport({
  report,
}: {
  report: CountedComps &
    TestedCounties &
    Record<'new' | 'changed' | 'unchanged' | 'seconds', number> & {
      readonly refused: ContactsReportProps['report']['rows_refused'];
      /** Missing in reports older than 0.2. */
      readonly screened?: ContactsReportProps['report']['rows_refused']['first'];
    };
}) {
  const lines = [
    ...(['new', 'changed', 'unchanged'] as const).map((words) => ({ count: report[words], words })),
    ...compImportLines(report),
  ];
  return (
    <>
      <p className="lead">Done in {secondsWords(report.seconds)}.</p>
      <ul className="report-lines">
        {lines.map(({ count, words }) => (
          <li key={words}>
            <b className="num">{formatNumber(count)}</b> {words}
          </li>
        ))}
      </ul>
      <RowsLeftOut first={[...report.refused.first, ...(report.screened ?? [])]} />
      <TestedLines tests={report} />
      <SeeComps />
    </>
  );
}

interface ContactsReportProps {
  readonly report: CountedContacts & {
    readonly seconds: number;
    readonly rows_refused: { readonly first: readonly { readonly row: number; readonly reason: string }[] };
    readonly columns_ignored: readonly string[];
  };
}

const refusedRowsShown = 10;

const RowsLeftOut = ({ first }: Pick<ContactsReportProps['report']['rows_refused'], 'first'>) =>
  first.length === 0 ? null : (
    <section aria-label="Rows left out">
      <h3>First rows left out, counted below the headings</h3>
      <ul className="report-lines">
        {first.slice(0, refusedRowsShown).map(({ row, reason }) => (
          <li key={row}>
            row <b className="num">{formatNumber(row)}</b> <span className="quieter">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  );

function ContactsReport({ report }: ContactsReportProps) {
  const persons = report.new + report.changed + report.unchanged;
  return (
    <>
      <p className="lead">
        {persons === 0 ? 'No one of this list went in.' : `Done in ${secondsWords(report.seconds)}.`}
      </p>
      <ul className="report-lines">
        {contactImportLines(report).map(({ count, words, reasons }) => (
          <li key={words}>
            <b className="num">{formatNumber(count)}</b> {words}
            {reasons.length === 0 ? null : (
              <span className="quieter">
                : {reasons.map(([reason, times]) => `${formatNumber(times)} × ${reason}`).join('; ')}
              </span>
            )}
          </li>
        ))}
      </ul>
      <RowsLeftOut first={report.rows_refused.first} />
      {report.columns_ignored.length === 0 ? null : (
        <p className="quieter">Not used: {report.columns_ignored.join(', ')}.</p>
      )}
    </>
  );
}

const SeeComps = () => (
  <NextSteps>
    <button type="button" className="button primary" onClick={() => goTo('comps')}>
      See them in Comps
    </button>
  </NextSteps>
);

/** How many sales each screen took. */
interface ScreenedSales {
  readonly screens: readonly { readonly label: string; readonly removed: number }[];
}

/** For derived comps: each count with its name. */
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
      {kind === 'derive_comps' ? (
        <>
          <ul className="report-lines">
            {(report as unknown as ScreenedSales).screens
              .filter(({ removed }) => removed > 0)
              .map(({ label, removed }) => (
                <li key={label}>
                  <b className="num">{formatNumber(removed)}</b> left out: {label}
                </li>
              ))}
          </ul>
          <TestedLines tests={report as unknown as TestedCounties} />
          <SeeComps />
        </>
      ) : null}
    </>
  );
}
