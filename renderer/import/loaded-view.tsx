/** What is loaded: datasets with their filled and empty columns, and the imports that can be undone. */
import { useQueryClient } from '@tanstack/react-query';
import { Import, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { layerTitle } from '../../engine/spec/layer-titles.ts';
import { columnLabel, formatDate, formatNumber, formatPercent, plural } from '../parts/format.ts';
import { EmptyState, ErrorState, Skeleton } from '../parts/states.tsx';
import { useClient, useLate, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { ChangesView, SeeChanges } from './changes-view.tsx';
import { importing } from './import-state.ts';
import { deleteDataset } from './import-undo.ts';
import { StepBody } from './parts.tsx';
import { UndoButtons } from './undo-button.tsx';
import { WaitingLines } from './waiting-lines.tsx';

type Datasets = ReadOutputOf<'datasets'>;
type Dataset = Datasets['datasets'][number];

export function LoadedView() {
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useRead('datasets', {}, { isLasting: true });
  const isSlow = useLate(isPending);
  const { changesOf } = useStore(importing);
  // Whoever looks here may just have worked at the command line, beside this window.
  useEffect(() => void queries.invalidateQueries({ queryKey: ['home'] }), [queries]);
  if (error && !data)
    return <ErrorState title="The datasets could not be read" error={error} onRetry={() => void refetch()} />;
  if (!data) return isSlow ? <Skeleton label="Reading the datasets" /> : null;
  const seen = data.imports.find(({ import_id: id, can_undo: isLatest }) => id === changesOf && isLatest);
  if (seen) return <ChangesView done={seen} />;
  if (data.datasets.length === 0) {
    return (
      <>
        <EmptyState
          icon={<Import aria-hidden />}
          title="Nothing is loaded yet"
          text="Import a county’s parcels: a file of the county or the state, read where it lies."
        >
          <button type="button" className="button primary" onClick={() => importing.set({ view: 'new' })}>
            Import parcels
          </button>
        </EmptyState>
        <WhatWasDone data={data} />
      </>
    );
  }
  return (
    <StepBody label="What is loaded">
      <WaitingLines waiting={data.waiting} />
      <section className="datasets" aria-label="Datasets">
        {data.datasets.map((dataset) => (
          <DatasetCard key={dataset.dataset_id} dataset={dataset} />
        ))}
      </section>
      <WhatWasDone data={data} />
    </StepBody>
  );
}

function DatasetCard({ dataset }: { dataset: Dataset }) {
  const client = useClient();
  const [isAsked, ask] = useState(false);
  const {
    county_name: county,
    state,
    fips,
    jurisdiction,
    source_name: source,
    source_date: date,
    imported_at: at,
  } = dataset;
  return (
    <article className="dataset" aria-label={jurisdiction || (county ?? fips)}>
      <div className="line wrap">
        <h2>{jurisdiction || county || fips}</h2>
        <span className="quieter">
          {jurisdiction ? `${county ?? ''}, ` : ''}
          {state} <span className="num">{fips}</span>
        </span>
        <span className="grow" />
        {isAsked ? (
          <>
            <span>Remove {plural(dataset.parcels, 'parcel', 'parcels')}? It can be undone.</span>
            <button
              type="button"
              className="button danger"
              onClick={() => void deleteDataset(client, dataset.dataset_id)}
            >
              Delete
            </button>
            <button type="button" className="button" onClick={() => ask(false)}>
              Keep
            </button>
          </>
        ) : (
          <button type="button" className="button quiet" aria-label={`Delete ${source}`} onClick={() => ask(true)}>
            <Trash2 aria-hidden className="small" />
            Delete
          </button>
        )}
      </div>
      <p className="quieter">
        <b className="medium num">{plural(dataset.parcels, 'parcel', 'parcels')}</b>
        {dataset.retired > 0 ? `, ${formatNumber(dataset.retired)} retired` : ''} · {source} of {formatDate(date)} ·
        imported {formatDate(at)}
      </p>
      <p className="quieter">
        {dataset.layers.length === 0
          ? 'Completed by no layer yet'
          : `Completed by ${dataset.layers.map(({ kind, source_name: name }) => `${layerTitle(kind).toLowerCase()} (${name})`).join(', ')}`}
      </p>
      <Coverage dataset={dataset} />
    </article>
  );
}

/** How many parcels each column is known for; unpublished columns are listed too. */
function Coverage({ dataset }: { dataset: Dataset }) {
  const known = dataset.coverage.filter((one) => one.known > 0);
  const lacking = dataset.coverage.filter((one) => one.known === 0);
  if (dataset.coverage.length === 0) return null;
  const all = Math.max(dataset.parcels, ...known.map((one) => one.known), 1);
  return (
    <details className="coverage">
      <summary>
        {plural(known.length, 'column is', 'columns are')} published
        {lacking.length > 0 ? `, ${formatNumber(lacking.length)} not` : ''}
      </summary>
      <ul className="coverage-list">
        {known.map((one) => (
          <li key={one.column} className="coverage-line">
            <span className="ellipsis" title={one.column}>
              {columnLabel(one.column)}
            </span>
            <span className="bar" aria-hidden>
              <i style={{ width: `${(100 * one.known) / all}%` }} />
            </span>
            <span className="num quieter coverage-share">
              {formatPercent((100 * one.known) / all, one.known < all ? 1 : 0)}
            </span>
          </li>
        ))}
      </ul>
      {lacking.length > 0 ? (
        <p className="quieter">Not published: {lacking.map((one) => columnLabel(one.column)).join(', ')}.</p>
      ) : null}
    </details>
  );
}

type Done = Datasets['imports'][number];

/** Imports and layers, newest first; then the lists of comps, which keep no day. */
function WhatWasDone({ data: { imports, layers, comps, datasets } }: { data: Datasets }) {
  if (imports.length + layers.length + comps.length === 0) return null;
  const countyOf = (fips: string) => datasets.find((one) => one.fips === fips)?.county_name ?? fips;
  const lines = [
    ...imports.map((one) => ({
      at: one.done_at,
      line: <ImportLine key={one.import_id} done={one} of={one.jurisdiction || countyOf(one.fips)} />,
    })),
    ...layers.map(({ fips, kind, title, source_name: source, done_at: at, features }) => {
      const what = `${title || layerTitle(kind)}: ${plural(features, 'feature', 'features')}`;
      return {
        at,
        line: (
          <Line key={`${fips} ${kind} ${title}`} at={formatDate(at)} of={countyOf(fips)} file={source} what={what} />
        ),
      };
    }),
  ].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  return (
    <section aria-label="What was done">
      <h2 className="problem-head">What was done</h2>
      <div className="boxed">
        <table className="import-table done-table stacked">
          <thead>
            <tr>
              <th>When</th>
              <th>Of</th>
              <th>File</th>
              <th>What</th>
              <th>
                <span className="sr">Undo</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ line }) => line)}
            {comps.map(({ fips, source, comps: count }) => (
              <Line
                key={`${fips} ${source}`}
                at={<span className="null">day not kept</span>}
                of={countyOf(fips)}
                file={source}
                what={plural(count, 'comp', 'comps')}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface LineProps {
  readonly at: ReactNode;
  readonly of: string;
  readonly file: string;
  readonly what: ReactNode;
  readonly children?: ReactNode;
}

const Line = ({ at, of, file, what, children }: LineProps) => (
  <tr>
    <td className="num">{at}</td>
    <td>{of}</td>
    <td className="quieter ellipsis" title={file}>
      {file}
    </td>
    <td className="quieter">{what}</td>
    <td className="n">{children}</td>
  </tr>
);

const ImportLine = ({ done, of }: { done: Done; of: string }) => (
  <Line
    at={formatDate(done.done_at)}
    of={of}
    file={done.source_name}
    what={done.undone_at ? 'taken back' : countWords(done.counts, done.action)}
  >
    {done.can_undo && done.parcels > 0 ? <SeeChanges importId={done.import_id} label="Changes" /> : null}
    <UndoButtons one={done} />
  </Line>
);

function countWords(counts: Readonly<Record<string, number>>, action: string): string {
  const words = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${formatNumber(count)} ${name}`);
  return words.length === 0 ? (action === 'delete' ? 'deleted' : 'nothing changed') : words.join(', ');
}
