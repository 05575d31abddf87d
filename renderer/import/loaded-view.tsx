/** What is loaded: datasets with what they publish and what they lack, and the imports that can be taken back. */
import { Import, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { layerTitle } from '../../engine/spec/layer-titles.ts';
import { parcelColumnsByName } from '../../engine/spec/parcel-columns.ts';
import { formatDate, formatNumber, formatPercent, plural } from '../parts/format.ts';
import { EmptyState, ErrorState, Skeleton } from '../parts/states.tsx';
import { useClient, useLate, useRead } from '../state/client-context.tsx';
import { importing } from './import-state.ts';
import { deleteDataset, undoImport } from './import-undo.ts';
import { StepBody } from './parts.tsx';
import { WaitingLines } from './waiting-lines.tsx';

type Datasets = ReadOutputOf<'datasets'>;
type Dataset = Datasets['datasets'][number];

export function LoadedView() {
  const { data, error, isPending, refetch } = useRead('datasets', {}, { isLasting: true });
  const isSlow = useLate(isPending);
  if (error && !data)
    return <ErrorState title="The datasets could not be read" error={error} onRetry={() => void refetch()} />;
  if (!data) return isSlow ? <Skeleton label="Reading the datasets" /> : null;
  if (data.datasets.length === 0) {
    return (
      <EmptyState
        icon={<Import aria-hidden />}
        title="Nothing is loaded yet"
        text="Import a county’s parcels: a file of the county or the state, read where it lies."
      >
        <button type="button" className="button primary" onClick={() => importing.set({ view: 'new' })}>
          Import parcels
        </button>
      </EmptyState>
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
      <Imports imports={data.imports} datasets={data.datasets} />
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

/** What the file says of how many parcels; what it does not publish is said, not hidden. */
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
              {labelOf(one.column)}
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
        <p className="quieter">Not published: {lacking.map((one) => labelOf(one.column)).join(', ')}.</p>
      ) : null}
    </details>
  );
}

const labelOf = (column: string): string => parcelColumnsByName.get(column)?.label ?? column;

function Imports({ imports, datasets }: { imports: Datasets['imports']; datasets: readonly Dataset[] }) {
  const client = useClient();
  if (imports.length === 0) return null;
  const placeOf = (fips: string, jurisdiction: string) =>
    jurisdiction || (datasets.find((one) => one.fips === fips)?.county_name ?? fips);
  return (
    <section aria-label="What was done">
      <h2>What was done</h2>
      <div className="boxed">
        <table className="import-table done-table">
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
            {imports.map((one) => (
              <tr key={one.import_id}>
                <td className="num">{formatDate(one.done_at)}</td>
                <td>{placeOf(one.fips, one.jurisdiction)}</td>
                <td className="quieter ellipsis" title={one.source_name}>
                  {one.source_name}
                </td>
                <td className="quieter">{one.undone_at ? 'taken back' : countWords(one.counts, one.action)}</td>
                <td className="n">
                  {one.can_undo ? (
                    <button
                      type="button"
                      className="button quiet"
                      onClick={() => void undoImport(client, one.import_id)}
                    >
                      <Undo2 aria-hidden className="small" />
                      Undo
                    </button>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function countWords(counts: Readonly<Record<string, number>>, action: string): string {
  const words = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${formatNumber(count)} ${name}`);
  return words.length === 0 ? (action === 'delete' ? 'deleted' : 'nothing changed') : words.join(', ');
}
