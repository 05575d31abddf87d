/** Roads: edges below all of them, then the roads, their names and the shields of routes. */
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { mapZooms } from '../../engine/spec/map-zooms.ts';
import { all, byZoom, classOf, isShape, type RoleSource } from './ground-roles.ts';
import { letters, textSize } from './map-letters.ts';
import type { Placed } from './map-slots.ts';

/** The classes of engine/enrichment/road-classes.ts. */
type PerClass = readonly [main: number, normal: number, local: number];

/** Pixels by zoom. */
const widths: readonly (readonly [zoom: number, widths: PerClass])[] = [
  [9, [0.9, 0.5, 0.2]],
  [10, [1.1, 0.7, 0.2]],
  [12, [2, 1.3, 0.6]],
  [14, [4.4, 3.2, 2.2]],
  [16, [10, 8, 6.5]],
  [18, [24, 20, 17]],
];

/** Added for both edges; twice as much outdoors. */
const edges: Readonly<Record<number, PerClass>> = {
  10: [0.9, 0.6, 0],
  12: [1.5, 1.5, 0.9],
  14: [1.5, 1.5, 1.5],
  16: [1.5, 1.5, 1.5],
  18: [2, 2, 2],
};

export interface RoadSource extends RoleSource {
  /** Number on its shield; null: the source has none. */
  readonly ref: ExpressionSpecification | null;
}

export function roads(from: RoadSource): Placed[] {
  const { id, source, sourceLayer, namesLayer, filter, ref, name, opacity, tokens } = from;
  const roadClass = classOf(from);
  const perClass = (values: readonly unknown[]): ExpressionSpecification =>
    ['match', roadClass, 'major_highway', values[0], 'normal_road', values[1], values[2]] as ExpressionSpecification;
  const isLocal: ExpressionSpecification = ['!', ['in', roadClass, ['literal', ['major_highway', 'normal_road']]]];
  const mainOrFrom = (zoom: number): ExpressionSpecification => ['any', ['!', isLocal], ['>=', ['zoom'], zoom]];
  const width = (extra: number) =>
    byZoom(
      ...widths.flatMap(([zoom, own]) => [zoom, perClass(own.map((one, i) => one + extra * (edges[zoom]?.[i] ?? 0)))]),
    );
  const shared = {
    type: 'line',
    source,
    'source-layer': sourceLayer,
    filter: all(filter, mainOrFrom(mapZooms.localRoads)),
  };
  const layout = { 'line-join': 'round', 'line-sort-key': perClass([3, 2, 1]) };
  const edgeColor = perClass([tokens.roadMainEdge, tokens.roadEdge, tokens.roadEdge]);
  const fill = perClass([tokens.roadMain, tokens.road, tokens.road]);
  const isNameShown = all(filter, isShape('LineString'), mainOrFrom(mapZooms.localRoadNames));
  return [
    {
      slot: 'roadEdges',
      layer: {
        ...{ ...shared, id: `${id}-edge`, minzoom: 11, layout: { ...layout, 'line-cap': 'butt' } },
        paint: { 'line-color': edgeColor, 'line-width': width(tokens.isOutdoor ? 2 : 1), 'line-opacity': opacity },
      } as LayerSpecification,
    },
    {
      slot: 'roads',
      layer: {
        ...{ ...shared, id: `${id}-road`, minzoom: mapZooms.mainRoads, layout: { ...layout, 'line-cap': 'round' } },
        // Too thin for edges at first.
        paint: {
          'line-color': ['step', ['zoom'], edgeColor, 11, fill],
          'line-width': width(0),
          'line-opacity': opacity,
        },
      } as LayerSpecification,
    },
    {
      slot: 'roadNames',
      layer: letters(tokens, {
        ...{ id: `${id}-names`, source, sourceLayer: namesLayer, minzoom: mapZooms.roadNames, filter: isNameShown },
        ...{ text: name, size: textSize(tokens, 13, perClass([10.5, 10, 9]), 17, perClass([13.5, 13, 12])) },
        ...{ color: tokens.roadLabel, font: 'Platbook Map Medium', spacing: 0.02, every: 340, opacity },
        layout: { 'text-max-angle': 30, 'text-padding': 4 },
      }),
    },
    ...(ref === null
      ? []
      : [
          {
            slot: 'shields' as const,
            layer: letters(tokens, {
              ...{ id: `${id}-shields`, source, sourceLayer: namesLayer, minzoom: mapZooms.shields },
              ...{ filter: all(filter, isShape('LineString')), text: ref, size: 10, color: tokens.shieldLabel },
              ...{ font: 'Platbook Map Semibold', every: 480, halo: 0, opacity },
              layout: {
                ...{ 'icon-image': 'shield', 'icon-text-fit': 'both', 'icon-text-fit-padding': [2, 4, 2, 4] },
                ...{ 'text-rotation-alignment': 'viewport', 'icon-rotation-alignment': 'viewport' },
              },
            }),
          },
        ]),
  ];
}
