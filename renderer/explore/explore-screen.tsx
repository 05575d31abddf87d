/** Explore: filter panel · sentence, map above table · detail. All three share one selection. */
import { Splitter } from '../frame/splitter.tsx';
import { ExploreMap } from '../map/explore-map.tsx';
import { useIsNarrow } from '../parts/use-window-width.ts';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { DetailPane } from './detail/detail-pane.tsx';
import { isWideTab } from './detail/detail-tabs.tsx';
import { ResultList } from './detail/result-list.tsx';
import { explore, hover, select, selectMany, setFields, view } from './explore-state.ts';
import { FilterPanel } from './filter-panel.tsx';
import { OwnerCard } from './owner/owner-card.tsx';
import { OwnerTotals } from './owner/owner-totals.tsx';
import { useOwner } from './owner/use-owner.ts';
import { SearchTrouble } from './search-footer.tsx';
import { SentenceBar } from './sentence-bar.tsx';
import { TablePane } from './table-pane.tsx';
import { type LiveCount, useCount } from './use-count.ts';

export function ExploreScreen() {
  const live = useCount();
  const { mapShare } = useStore(settings);
  const { selected, selectedMany, detailTab, ownerOf } = useStore(explore);
  const isWide = selected !== null && ownerOf === null && isWideTab(detailTab);
  const { hovered } = useStore(view);
  const isNarrow = useIsNarrow();
  const withoutShape =
    live.answer && ownerOf === null ? { count: live.answer.without_shape, of: live.answer.count } : null;
  return (
    <div className="explore" data-wide={isWide} data-owner={ownerOf !== null}>
      {ownerOf === null ? <FilterSide live={live} /> : <OwnerSide propertyId={ownerOf} />}
      <div className="center">
        {ownerOf === null ? (
          <>
            <SentenceBar live={live} />
            <SearchTrouble live={live} />
          </>
        ) : null}
        <MapAndTable mapShare={ownerOf !== null && isNarrow ? 1 : mapShare}>
          <ExploreMap
            filter={live.filter}
            withoutShape={withoutShape}
            selected={selected}
            selectedMany={selectedMany}
            hovered={hovered}
            onSelect={select}
            onSelectMany={selectMany}
            onHover={hover}
            onArea={(wkt) => setFields({ geom_intersects: wkt ?? undefined })}
          />
          {ownerOf === null ? <TablePane live={live} /> : <OwnerTable propertyId={ownerOf} />}
        </MapAndTable>
      </div>
      {selected === null || ownerOf !== null ? null : <DetailSide selected={selected} isWide={isWide} />}
    </div>
  );
}

function FilterSide({ live }: { live: LiveCount }) {
  const { filterWidth } = useStore(settings);
  const { isPanelOpen } = useStore(view);
  const isNarrow = useIsNarrow();
  if (isNarrow) return isPanelOpen ? <FilterPanel live={live} width={null} /> : null;
  return (
    <>
      <FilterPanel live={live} width={filterWidth} />
      <Splitter
        label="Width of the filters"
        orientation="vertical"
        value={filterWidth ?? tokenPixels('--panel-filter')}
        minimum={240}
        maximum={480}
        onChange={(filterWidth) => settings.set({ filterWidth })}
        onReset={() => settings.set({ filterWidth: null })}
      />
    </>
  );
}

function DetailSide({ selected, isWide }: { selected: number; isWide: boolean }) {
  const { detailWidth } = useStore(settings);
  const isNarrow = useIsNarrow();
  return (
    <>
      <Splitter
        label="Width of the parcel"
        orientation="vertical"
        isFromEnd
        value={detailWidth ?? tokenPixels('--panel-detail')}
        minimum={320}
        maximum={640}
        onChange={(detailWidth) => settings.set({ detailWidth })}
        onReset={() => settings.set({ detailWidth: null })}
      />
      {isWide ? <ResultList /> : null}
      <DetailPane key={selected} propertyId={selected} width={isNarrow ? null : detailWidth} />
    </>
  );
}

function OwnerSide({ propertyId }: { propertyId: number }) {
  const isNarrow = useIsNarrow();
  return <OwnerCard key={propertyId} propertyId={propertyId} width={isNarrow ? null : cardWidth} />;
}

/** Pixels, as wide as a detail with its reasons. */
const cardWidth = 424;

function OwnerTable({ propertyId }: { propertyId: number }) {
  const { data } = useOwner(propertyId);
  const isNarrow = useIsNarrow();
  return <div className="pane table-pane">{data && !isNarrow ? <OwnerTotals card={data} /> : null}</div>;
}

const tokenPixels = (name: string): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)) || 0;

/** The two share the height as the user has dragged it. */
function MapAndTable({ mapShare, children }: { mapShare: number; children: [React.ReactNode, React.ReactNode] }) {
  const [map, table] = children;
  return (
    <div
      className="map-and-table"
      style={{ gridTemplateRows: `minmax(0, ${mapShare}fr) auto minmax(0, ${1 - mapShare}fr)` }}
    >
      {map}
      <Splitter
        label="Height of the map"
        orientation="horizontal"
        value={Math.round(mapShare * 100)}
        minimum={20}
        maximum={80}
        onChange={(percent) => settings.set({ mapShare: percent / 100 })}
        onReset={() => settings.set({ mapShare: 0.58 })}
      />
      {table}
    </div>
  );
}
