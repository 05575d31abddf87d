/** The map of Explore: lots with the chosen fill, a selection shared with the table, and the tools. */
import type { MultiPolygon, Polygon } from 'geojson';
import type { PointLike } from 'maplibre-gl';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useNeighbourLots } from '../explore/detail/neighbours-tab.tsx';
import { explore } from '../explore/explore-state.ts';
import { type FilterBody, reversedFilter } from '../explore/filter-body.ts';
import type { MapPane, MapPaneProps } from '../explore/map-pane.tsx';
import { useOwnerLots } from '../explore/owner/use-owner.ts';
import { formatNumber } from '../parts/format.ts';
import { useHeld, useTypedField } from '../parts/typing.ts';
import { useClient, useRested } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { countyBox, showParcel } from './camera.ts';
import { cellLimits } from './cell-limits.ts';
import { CountyInset } from './county-inset.tsx';
import { DrawBar, MeasureBar } from './draw-bar.tsx';
import { fillByName } from './fills.ts';
import { GroundNote } from './ground-note.tsx';
import { bringBack, groundPace, leftWords } from './ground-pace.ts';
import { HereLayer } from './here-layer.tsx';
import { LotsLegend, MapLegend } from './map-legend.tsx';
import { ExploreMapPlace } from './map-places.tsx';
import { type Box, type MapSources, useMapSources } from './map-sources.ts';
import { mapMemory, mapPresence } from './map-state.ts';
import { MapTools } from './map-tools.tsx';
import type { MapLibre } from './open-map.ts';
import { lotsFrom } from './parcel-layers.ts';
import { photoShown } from './photo.ts';
import type { MapLot } from './picked-layers.ts';
import { PageEdges } from './print-menu.tsx';
import { ScaleBar } from './scale-bar.tsx';
import { useFollowSelection } from './use-follow-selection.ts';
import { useGroundPace } from './use-ground-pace.ts';
import { useLabelInk } from './use-label-ink.ts';
import { useLegend } from './use-legend.ts';
import { areaOf, useMapStyle } from './use-map-style.ts';
import { useMatchDots } from './use-match-dots.ts';
import { useMatches } from './use-matches.ts';
import { type UsedMap, useMapTokens, useOpenMap } from './use-open-map.ts';
import { usePicked } from './use-picked.ts';
import { matchesIn, parcelAt, useBoxTool, usePicking } from './use-picking.ts';
import { useMapRequests, usePresence, useTilt } from './use-presence.ts';
import { useTags } from './use-tags.ts';

const label = 'Map. Arrow keys move it, plus and minus zoom, Enter selects the parcel under the cross in the middle.';
const restMilliseconds = 120;
/**
 * Longer than between two keystrokes: the legend of a million parcels costs as much as a hundred counts, which would
 * have to wait.
 */
const legendRestMilliseconds = 350;
/** The center of the country, until there is a county. */
const nowhere: readonly [number, number] = [-98, 39];

type ShownProps = MapPaneProps & { readonly sources: MapSources };

export const ExploreMap: MapPane = (props) => {
  const sources = useMapSources();
  if (!sources) return <ExploreMapPlace />;
  return <ShownMap {...props} sources={sources} />;
};

function ShownMap(props: ShownProps) {
  const { sources, selected, onArea } = props;
  const { fill: fillName, zoom } = useStore(mapMemory);
  const { mode } = useStore(mapPresence);
  const isTyping = useTypedField() !== null;
  const filter = useAskable(props.filter, restMilliseconds, isTyping);
  const fill = fillByName(fillName);
  const legendFilter = useAskable(props.filter, legendRestMilliseconds, isTyping);
  const legend = useLegend(legendFilter, fill);
  const [cells, setCells] = useState<readonly number[]>([]);
  const [measured, setMeasured] = useState<Polygon | MultiPolygon | null>(null);
  const tokens = useMapTokens();
  const { dots, small } = useMatchDots(filter, zoom);
  const style = useMapStyle({
    ...props,
    tokens,
    limits: legend.limits,
    cellLimits: cells,
    dots,
    isGrid: small === 'grid',
    isUnsearched: small === 'nothing',
    measured,
  });
  const county = countyBox(sources, filter);
  const many = useMany(props);
  const around = useNeighbourLots();
  const owned = useOwnerLots();
  const lots = owned ?? around.lots;
  const { container, map, failure, fault } = useExploreMap(props, style, tokens, county, many, lots, around);
  const onCells = useCallback((counts: readonly number[]) => {
    const next = cellLimits(counts);
    setCells((before) => (String(before) === String(next) ? before : next));
  }, []);
  // Held where lots are drawn: passing their zoom asks nothing twice.
  const isGrid = useHeld(small === 'grid', small === null);
  const matches = useMatches(map, filter, sources.parcels.generation, isGrid, onCells);
  useLabelInk(map, fill, legend.limits, sources.parcels.generation);
  const tags = useTags(map, filter, legend.tags, sources.parcels.generation);
  const inset = insetCounty(sources, filter);
  if (failure) return <NoMap text={failure} />;
  const isAsked = legendFilter === props.filter || reversedFilter(props.filter) !== undefined;
  const isSettled = matches.isSettled && tags.isSettled && !isTyping && isAsked;
  return (
    <section className="map-slot" aria-label="Map and its tools" data-settled={isSettled} data-mode={mode}>
      <div ref={container} className="map-canvas" />
      <i className="map-cross" aria-hidden="true" />
      <PageEdges />
      <HereLayer map={map} />
      <MapTools
        sources={sources}
        fill={fill}
        legend={legend}
        onZoom={(by) => map?.zoomTo(Math.round(map.getZoom() + by))}
        hasCounty={county !== null}
        selected={selected}
      />
      <Notes {...props} isSmall={small !== null && !owned} fault={fault ?? matches.fault ?? tags.fault} />
      {map && mode === 'draw' ? (
        <DrawBar map={map} tokens={tokens} area={areaOf(props.filter)} onArea={onArea} />
      ) : null}
      {map && mode === 'measure' ? (
        <MeasureBar map={map} tokens={tokens} selected={selected} onLot={setMeasured} />
      ) : null}
      {inset ? <CountyInset fips={inset.fips} box={inset.bounds} map={map} /> : null}
      {owned ? (
        <LotsLegend lots={owned} />
      ) : (
        <MapLegend fill={fill} legend={legend} sources={sources} small={small} lots={around.lots} band={around.band} />
      )}
      <ScaleBar />
      <Attribution sources={sources} />
    </section>
  );
}

/** The filter once it rests, is complete and not reversed; until then the last such one. */
function useAskable(filter: FilterBody, milliseconds: number, isTyping: boolean): FilterBody {
  const rested = useRested(filter, milliseconds);
  return useHeld(rested, isTyping || reversedFilter(rested) !== undefined);
}

interface Many {
  readonly ids: readonly number[];
  readonly add: (ids: readonly number[]) => void;
  readonly toggle: (id: number) => void;
}

/** The whole selection, one or several. What is selected on the map leaves its view alone. */
function useMany({ selected, selectedMany, onSelectMany }: ShownProps): Many {
  const ids = useMemo(
    () => (selectedMany.length > 0 ? selectedMany : selected === null ? [] : [selected]),
    [selectedMany, selected],
  );
  const choose = (chosen: readonly number[]) => {
    onSelectMany(chosen);
    mapPresence.set({ seen: explore.get().selected });
  };
  return {
    ids,
    add: (more) => choose([...new Set([...ids, ...more])]),
    toggle: (id) => choose(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]),
  };
}

function useExploreMap(
  { sources, selected, hovered, onSelect, onHover }: ShownProps,
  style: Parameters<typeof useOpenMap>[0]['style'],
  tokens: Parameters<typeof useOpenMap>[0]['tokens'],
  county: Box | null,
  many: Many,
  lots: readonly MapLot[],
  around: ReturnType<typeof useNeighbourLots>,
): UsedMap {
  const client = useClient();
  const memory = useStore(mapMemory);
  const { homeKey } = useStore(explore);
  const isKnown = memory.homeKey === homeKey && isNearCounty(memory.center, sources);
  const addBox = (map: MapLibre | null, from: PointLike, to: PointLike) => map && many.add(matchesIn(map, from, to));
  const used = useOpenMap({
    label,
    focusName: 'map',
    center: (isKnown ? memory.center : null) ?? (county ? middleOf(county) : nowhere),
    zoom: isKnown ? memory.zoom : 10,
    style,
    tokens,
    handlers: {
      onBox: (from, to) => addBox(used.map, from, to),
      onShiftClick: (event) => {
        const at = used.map && placeOf(used.map, event);
        if (at) void parcelAt(client, at.lng, at.lat).then((id) => id !== null && many.toggle(id));
      },
    },
  });
  const { map } = used;
  // New data is first shown as its whole county.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a map
  useEffect(() => {
    if (map && county && !isKnown) lookAtFirst(map, county);
  }, [map]);
  usePresence(map, homeKey);
  useMapRequests(map);
  useTilt(map);
  useGroundPace(map, sources);
  useFollowSelection(map, selected, around.lots);
  const pick = (id: number | null) => {
    mapPresence.set({ seen: id });
    onSelect(id);
  };
  const enter = (id: number | null) => (id !== null && id === selected ? void showParcel(client, id) : pick(id));
  usePicking(map, client, { onSelect: pick, onEnter: enter, onToggle: many.toggle, onHover });
  useBoxTool(map, (from, to) => addBox(map, from, to));
  usePicked(map, many.ids, hovered, sources.parcels.generation, lots, around.band);
  return used;
}

/**
 * Zoom levels sacrificed for lots: a county that nearly fits at their zoom opens there, and the inset shows the
 * position; a larger one opens as a whole, as the grid.
 */
const nearlyFits = 1.5;

function lookAtFirst(map: MapLibre, county: Box): void {
  const bounds = [...county] as [number, number, number, number];
  const zoom = map.cameraForBounds(bounds, { padding: 24 })?.zoom ?? 0;
  if (zoom >= lotsFrom || zoom < lotsFrom - nearlyFits) map.fitBounds(bounds, { padding: 24, animate: false });
  else map.jumpTo({ center: [...middleOf(county)], zoom: lotsFrom });
}

const middleOf = ([west, south, east, north]: Box): readonly [number, number] => [
  (west + east) / 2,
  (south + north) / 2,
];

function placeOf(map: MapLibre, { clientX, clientY }: MouseEvent) {
  const { left, top } = map.getContainer().getBoundingClientRect();
  return map.unproject([clientX - left, clientY - top]);
}

/**
 * Whether a place lies in a loaded county, or within the county's own size of it: other counties may have been deleted.
 */
const isNearCounty = (place: readonly [number, number] | null, { counties }: MapSources): boolean =>
  place !== null &&
  counties.some(({ bounds: [west, south, east, north] }) => {
    const [longitude, latitude] = place;
    const [width, height] = [east - west, north - south];
    const isAcross = longitude > west - width && longitude < east + width;
    return isAcross && latitude > south - height && latitude < north + height;
  });

/** The county of the inset: the one that the filter names, or the only one. */
function insetCounty({ counties }: MapSources, { county }: FilterBody): MapSources['counties'][number] | null {
  const [first, ...others] = counties;
  return counties.find(({ fips }) => fips === String(county)) ?? (others.length === 0 ? (first ?? null) : null);
}

function Notes({ sources, withoutShape, isSmall, fault }: ShownProps & { isSmall: boolean; fault: string | null }) {
  return (
    <div className="map-notes">
      {withoutShape && withoutShape.count > 0 ? (
        <p className="map-float map-badge">
          {formatNumber(withoutShape.count)} of {formatNumber(withoutShape.of)} have no shape
        </p>
      ) : null}
      {isSmall ? <p className="map-float map-badge">Zoom in to see parcel lines</p> : null}
      <GroundNote sources={sources} />
      <GroundLeft />
      {fault ? <p className="map-float map-badge warn">Some of the map could not be read: {fault}</p> : null}
    </div>
  );
}

/** What the map left off, and the way back. */
function GroundLeft() {
  const { left } = useStore(groundPace);
  return left.length === 0 ? null : (
    <p className="map-float map-badge" role="status">
      {leftWords(left)}
      <button type="button" className="link" onClick={() => bringBack(...left)}>
        Show {left.length > 1 ? 'them' : 'it'} anyway
      </button>
    </p>
  );
}

function Attribution({ sources }: { sources: MapSources }) {
  const memory = useStore(mapMemory);
  const photo = photoShown(sources, memory);
  const shown = [
    sources.outlines.attribution,
    sources.terrain?.contours.attribution,
    photo?.attribution,
    ...sources.bases
      .filter(({ source, type }) => type === 'vector' && memory.layers[source]?.isOn)
      .map(({ attribution }) => attribution),
  ].filter(Boolean);
  return shown.length === 0 ? null : <p className="map-attribution">{shown.join(' · ')}</p>;
}

const NoMap = ({ text }: { text: string }) => (
  <ExploreMapPlace>
    <p className="map-note">{text}</p>
  </ExploreMapPlace>
);
