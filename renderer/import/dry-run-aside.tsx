/** Beside the dry run: what the import replaces, the space it needs, the filters it enables. */
import { bytesWords, freeWords } from '../../engine/spec/bytes-words.ts';
import { type FilterGroup, filters } from '../../engine/spec/filters.ts';
import { type DiskSpace, usesWords } from '../../engine/spec/space-uses.ts';
import type { ImportReport, StatewideReport } from '../../engine/work/import-answers.ts';
import { formatDate, plural } from '../parts/format.ts';
import { useClient, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { AsideField } from './fields.tsx';
import { startDryRun } from './import-flow.ts';
import { importing } from './import-state.ts';
import { type PlanNumbers, spaceOf, standingOf } from './plan-words.ts';

type Report = ImportReport | StatewideReport;

export function DryRunAside({ report, numbers }: { report: Report; numbers: PlanNumbers }) {
  const space = spaceOf(report);
  return (
    <aside className="import-aside scroll" aria-label="What happens to what is there">
      <Standing report={report} numbers={numbers} />
      <section>
        <h3>Space and undo</h3>
        {space?.disks.map((disk) => (
          <Disk key={disk.folder} disk={disk} isOneOfMany={space.disks.length > 1} />
        ))}
        <p className="quieter">The last three imports can be undone. Cancelling leaves everything as it is.</p>
      </section>
      <Unlocked numbers={numbers} />
    </aside>
  );
}

/** Omits the disk's name if there is only one. */
function Disk({ disk, isOneOfMany }: { disk: DiskSpace; isOneOfMany: boolean }) {
  return (
    <>
      {isOneOfMany ? (
        <p className="quieter">
          Disk of the {usesWords(disk)}: <span className="mono">{disk.folder}</span>
        </p>
      ) : null}
      <dl className="first-row">
        <div>
          <dt>Needed</dt>
          <dd className="num">{bytesWords(disk.needed)}</dd>
        </div>
        <div>
          <dt>Free</dt>
          <dd className="num">{freeWords(disk.free)}</dd>
        </div>
      </dl>
    </>
  );
}

/** The dataset of the same county and town, and whether the import replaces it. */
function Standing({ report, numbers }: { report: Report; numbers: PlanNumbers }) {
  const client = useClient();
  const { isAdding, jurisdiction, fips } = useStore(importing);
  const { data } = useRead('datasets', {}, { isLasting: true });
  const [first] = numbers.counties;
  const before = data?.datasets.find(({ dataset_id: id }) => id === first?.dataset_id);
  const others = data?.datasets.filter((one) => one.fips === fips && one !== before) ?? [];
  if (numbers.counties.length !== 1 || (!before && others.length === 0)) return null;
  if (!before) {
    return (
      <section>
        <h3>Beside {plural(others.length, 'dataset', 'datasets')} of the county</h3>
        <p className="quieter">{others.map((one) => one.jurisdiction || 'whole county').join(', ')} stays as it is.</p>
      </section>
    );
  }
  const name = `${before.jurisdiction || before.county_name || before.fips} ${before.source_date.slice(0, 4)}`;
  const retired = numbers.counts.retired;
  return (
    <section>
      <h3>What happens to {name}</h3>
      <fieldset className="radio-lines">
        <legend className="sr">Replace it or add beside it</legend>
        <label className="radio-line">
          <input type="radio" name="replace" checked={!isAdding} onChange={() => importing.set({ isAdding: false })} />
          <span>
            Replace it
            <small>
              every property ID and note stays
              {retired > 0 ? `; ${plural(retired, 'parcel retires', 'parcels retire')}` : ''}
            </small>
          </span>
        </label>
        <label className="radio-line">
          <input type="radio" name="replace" checked={isAdding} onChange={() => importing.set({ isAdding: true })} />
          <span>
            Add beside it
            <small>as a dataset of another town of the county</small>
          </span>
        </label>
      </fieldset>
      {isAdding ? (
        <form
          className="aside-field"
          onSubmit={(event) => {
            event.preventDefault();
            importing.set({ isAdding: false });
            void startDryRun(client);
          }}
        >
          <AsideField label="Name of the town">
            <input value={jurisdiction} onChange={(event) => importing.set({ jurisdiction: event.target.value })} />
          </AsideField>
          <button
            type="submit"
            className="button"
            disabled={jurisdiction.trim() === '' || jurisdiction.trim() === before.jurisdiction}
          >
            Dry run as {jurisdiction.trim() || 'a town'}
          </button>
        </form>
      ) : (
        <p className="quieter">
          {plural(standingOf(report), 'parcel', 'parcels')} of {before.source_name}, {formatDate(before.source_date)}.
        </p>
      )}
    </section>
  );
}

/** The columns that the filters of a group read. */
const columnsOf = (group: FilterGroup): readonly string[] =>
  filters.flatMap((row) => (row.group === group && 'column' in row ? [row.column] : []));

const sections: readonly { readonly label: string; readonly columns: readonly string[] }[] = [
  { label: 'owner', columns: ['owner_name', 'mailing_address'] },
  { label: 'sale', columns: columnsOf('sale') },
  { label: 'value', columns: columnsOf('value') },
  { label: 'acreage', columns: ['acres'] },
  { label: 'use', columns: ['land_use_code', 'land_use_description', 'zoning'] },
  { label: 'wetlands', columns: ['wetlands_percent'] },
  { label: 'flood zone', columns: ['flood_zone_percent'] },
  { label: 'road frontage', columns: ['road_frontage_ft'] },
  { label: 'water frontage', columns: ['water_frontage_ft'] },
  { label: 'slope', columns: ['slope_mean_percent'] },
];

function Unlocked({ numbers }: { numbers: PlanNumbers }) {
  const known = new Set(
    numbers.counties.flatMap(({ coverage }) =>
      Object.entries(coverage).flatMap(([name, count]) => (count > 0 ? [name] : [])),
    ),
  );
  // Without a column of acres they are computed from the shapes.
  known.add('acres');
  const [open, closed] = [
    sections.filter(({ columns }) => columns.some((name) => known.has(name))),
    sections.filter(({ columns }) => !columns.some((name) => known.has(name))),
  ];
  const words = (list: typeof open) => list.map(({ label }) => label).join(', ');
  return (
    <section>
      <h3>Unlocked by this file</h3>
      <p className="quieter">
        Filters on {words(open)}. {closed.length > 0 ? `Those on ${words(closed)} stay grey.` : ''}
      </p>
      <button type="button" className="link" onClick={() => importing.set({ view: 'missing' })}>
        Where to get these
      </button>
    </section>
  );
}
