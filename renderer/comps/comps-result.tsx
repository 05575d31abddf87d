/** The paid list: its summary, its table, and its map. */
import { ChartScatter, CodeXml, Copy, ListFilter, Rss } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { replaceFilter, undo } from '../explore/explore-state.ts';
import { feedPriceWords, makeFeed } from '../export/feed-state.ts';
import { CompsMap } from '../map/comps-map.tsx';
import { copyText } from '../parts/clipboard.ts';
import { formatNumber, formatTime, plural } from '../parts/format.ts';
import { Menu, MenuCaption, MenuItem } from '../parts/menu.tsx';
import { NumberField } from '../parts/number-field.tsx';
import { EmptyState, Skeleton } from '../parts/states.tsx';
import { useWidthInRem } from '../parts/use-width.ts';
import { useClient, useLate, useRead } from '../state/client-context.tsx';
import { copyForms, copyRequest } from '../state/copy-request.ts';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { CompKey } from './comp-mark.tsx';
import { compColumns } from './comps-columns.tsx';
import { type CompsQuery, circleWkt, metersPerMile, placeText } from './comps-query.ts';
import { compsRequest } from './comps-request.ts';
import { compsView, type FoundComps, highlightComp, type ListedComp, selectComp } from './comps-state.ts';
import { CompsSummary } from './comps-summary.tsx';
import { CompsTable, useSortedComps } from './comps-table.tsx';
import type { Comps } from './use-comps.ts';

/** From this width on table and map fit side by side, relative to the text size. */
const besideRem = 62;

const none: readonly ListedComp[] = [];

interface CompsResultProps {
  readonly query: CompsQuery;
  readonly onChange: (change: Partial<CompsQuery>) => void;
  readonly comps: Comps;
  readonly propertyId: number | null;
}

export function CompsResult(props: CompsResultProps) {
  const { comps, query } = props;
  const center = query.scope === 'circle' ? query.center : null;
  const rows = useSortedComps(comps.found?.rows ?? none, center);
  const isSlow = useLate(comps.isRunning);
  const whole = useRef<HTMLDivElement>(null);
  const isStacked = useWidthInRem(whole) < besideRem;
  useComeIntoView(whole, comps);
  return (
    <div ref={whole} className="comps-result" data-stacked={isStacked}>
      <section className="pane comps-list" aria-label="Comps found">
        {comps.found === null ? (
          isSlow ? (
            <Skeleton label="Listing comps" />
          ) : (
            <NotListed comps={comps} />
          )
        ) : comps.found.rows.length === 0 ? (
          <EmptyState
            icon={<ChartScatter aria-hidden />}
            title="No comps here"
            text="Nothing was sold or is for sale here that meets all of this. Widen the circle, or ask for less."
          />
        ) : (
          <Listed {...props} found={comps.found} rows={rows} />
        )}
      </section>
      <MapBeside {...props} rows={rows} />
    </div>
  );
}

/** In a narrow window a list lies below the query, out of sight of the button that asked for it. */
function useComeIntoView(whole: RefObject<HTMLDivElement | null>, { isRunning, found }: Comps): void {
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning && found !== null) whole.current?.scrollIntoView();
    wasRunning.current = isRunning;
  }, [isRunning, found, whole]);
}

const NotListed = ({ comps: { problem } }: { comps: Comps }) => (
  <EmptyState
    icon={<ChartScatter aria-hidden />}
    title={problem === null ? 'Not listed yet' : 'Where?'}
    text={
      problem ??
      'Counting is free. Listing shows each comp with its price, date and place, and stays free to see again.'
    }
  />
);

function Listed({ found, rows, query, comps }: CompsResultProps & { found: FoundComps; rows: readonly ListedComp[] }) {
  const center = query.scope === 'circle' ? query.center : null;
  const isPart = rows.length < found.rows.length;
  return (
    <>
      <div className="table-title">
        <b>{plural(rows.length, 'comp', 'comps')}</b>
        <span className="small-text quieter">
          {isPart ? `of ${formatNumber(found.rows.length)} listed` : `listed ${formatTime(found.at)}`}
          {found.count > found.rows.length ? `, of ${formatNumber(found.count)} matches` : ''}
        </span>
        <span className="grow" />
        <NarrowByPrice />
        <Tools rows={rows} query={query} comps={comps} />
      </div>
      <CompsSummary rows={rows} />
      <CompsTable rows={rows} center={center} />
      <CompKey />
    </>
  );
}

/** Free: narrows what is already listed. */
function NarrowByPrice() {
  const { priceMin, priceMax } = useStore(compsView);
  return (
    <div className="line narrow-price">
      <NumberField
        label="Price from, among those listed"
        unit="$"
        placeholder="price from"
        minimum={0}
        value={priceMin ?? undefined}
        onChange={(price) => compsView.set({ priceMin: price ?? null })}
      />
      <NumberField
        label="Price to, among those listed"
        unit="$"
        placeholder="to"
        minimum={0}
        value={priceMax ?? undefined}
        onChange={(price) => compsView.set({ priceMax: price ?? null })}
      />
    </div>
  );
}

interface ToolsProps {
  readonly rows: readonly ListedComp[];
  readonly query: CompsQuery;
  readonly comps: Comps;
}

const feedName = ({ scope, fips, center, miles }: CompsQuery): string =>
  scope === 'county'
    ? `comps of ${fips ?? ''}`
    : `comps within ${formatNumber(miles)} mi of ${center === null ? '' : center.name || placeText(center)}`;

function Tools({ rows, query, comps: { input, found } }: ToolsProps) {
  const client = useClient();
  const feed = () => {
    if (input) void makeFeed(client, { kind: 'comps', name: feedName(query), input: { ...input } });
  };
  return (
    <>
      <button type="button" className="button quiet" onClick={() => filterExplore(query)}>
        <ListFilter aria-hidden />
        <span className="at-wide">Use as filter</span>
        <span className="sr">Use this place and these acres as the filter of Explore</span>
      </button>
      <Menu label="Copy the comps, or make a feed of them" face={<CodeXml aria-hidden />}>
        <MenuItem onSelect={() => copyTable(rows, query)}>
          <Copy aria-hidden />
          Copy table
        </MenuItem>
        <MenuItem onSelect={feed}>
          <Rss aria-hidden />
          Live feed
          <span className="end small-text quieter">{feedPriceWords(found?.count)}</span>
        </MenuItem>
        <MenuCaption>Copy the request as</MenuCaption>
        {copyForms.map((form) => (
          <MenuItem key={form.id} onSelect={() => input && void copyRequest(client, form, compsRequest(input))}>
            {form.label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

/** Parcels at the same place and of the same size, counted in Explore. */
function filterExplore({ scope, fips, center, miles, acresMin, acresMax }: CompsQuery): void {
  const place =
    scope === 'county'
      ? { county: fips ?? undefined }
      : { geom_intersects: center ? circleWkt(center, miles) : undefined };
  const fields = { ...place, acres_min: acresMin ?? undefined, acres_max: acresMax ?? undefined };
  replaceFilter(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
  goTo('explore');
  toast('The filter is the place and the acres of these comps', { label: 'Undo', step: 'filter', run: undo });
}

/** Tab-separated, for a spreadsheet. */
function copyTable(rows: readonly ListedComp[], { scope, center }: CompsQuery): void {
  const columns = compColumns(scope === 'circle' ? center : null).filter(({ id }) => id !== 'status');
  const lines = rows.map((comp) => [comp.status, ...columns.map((column) => column.key(comp) ?? '')]);
  const text = [['status', ...columns.map(({ label }) => label)], ...lines]
    .map((cells) => cells.map((cell) => String(cell).replaceAll(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n');
  copyText(text, `${plural(rows.length, 'comp', 'comps')} copied`);
}

/** The ids of the comps that the parcel's stored value rests on. */
function useUsedComps(propertyId: number | null): ReadonlySet<string> {
  const input = { id: propertyId ?? 1 };
  const { data } = useRead('stored_value', input, { when: propertyId !== null, isLasting: true });
  const used = propertyId === null ? undefined : data?.stored?.value.used;
  return useMemo(() => new Set(used?.map(({ id }) => id)), [used]);
}

function MapBeside({ query, onChange, propertyId, rows }: CompsResultProps & { rows: readonly ListedComp[] }) {
  const { selected, highlighted } = useStore(compsView);
  const { scope, center, miles, fips } = query;
  const { longitude, latitude } = (scope === 'circle' ? center : null) ?? {};
  const used = useUsedComps(propertyId);
  // A new array or circle redraws the map, so both keep their identity while unchanged.
  const circle = useMemo(
    () =>
      longitude === undefined || latitude === undefined ? null : { longitude, latitude, meters: miles * metersPerMile },
    [longitude, latitude, miles],
  );
  const comps = useMemo(
    () =>
      rows.map(({ id, status, longitude, latitude }) => ({ id, status, longitude, latitude, isUsed: used.has(id) })),
    [rows, used],
  );
  return (
    <CompsMap
      comps={comps}
      circle={circle}
      propertyId={propertyId}
      fips={scope === 'county' ? fips : null}
      selected={selected}
      highlighted={highlighted}
      onSelect={selectComp}
      onHighlight={highlightComp}
      onCircle={({ longitude, latitude, meters }) => {
        const isMoved = propertyId === null && (longitude !== center?.longitude || latitude !== center?.latitude);
        onChange({
          miles: Math.round((10 * meters) / metersPerMile) / 10,
          ...(isMoved ? { center: { longitude, latitude, name: '' } } : {}),
        });
      }}
    />
  );
}
