/** The map's position in the county: the county drawn from its parcels, and a frame. A click moves the map. */
import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, useEffect, useState } from 'react';
import type { EngineClient } from '../client/engine-client.ts';
import { useClient, useRead } from '../state/client-context.tsx';
import type { Box } from './map-sources.ts';
import type { MapLibre } from './open-map.ts';

const size = { width: 100, height: 76 };
/** Cells per side of a tile, and the last zoom with cells: see engine/tiles/density-tile.ts. */
const cellsASide = 32;
const lastGridZoom = 11;

/** In the square of Web Mercator, 0 to 1, from the north-west. */
interface Plane {
  readonly x: number;
  readonly y: number;
}

function planeOf(longitude: number, latitude: number): Plane {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return { x: longitude / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

interface Frame {
  readonly zoom: number;
  readonly west: number;
  readonly north: number;
  readonly width: number;
  readonly height: number;
}

/** The county on the plane, and the zoom at which it is about a tile wide. */
function frameOf([west, south, east, north]: Box): Frame {
  const [corner, other] = [planeOf(west, north), planeOf(east, south)];
  const [width, height] = [Math.max(other.x - corner.x, 1e-7), Math.max(other.y - corner.y, 1e-7)];
  const zoom = Math.floor(-Math.log2(Math.max(width, height)));
  return { zoom: Math.min(lastGridZoom, Math.max(0, zoom)), west: corner.x, north: corner.y, width, height };
}

/** Column and row of a cell by its number, which counts all cells of the earlier zooms. */
function placeOfCell(id: number, zoom: number): { readonly column: number; readonly row: number } {
  const cells = cellsASide * 2 ** zoom;
  const number = id - (cells * cells - 1) / 3;
  return { column: number % cells, row: Math.floor(number / cells) };
}

async function readCells(
  client: EngineClient,
  fips: string,
  { zoom, ...box }: Frame,
  signal: AbortSignal,
): Promise<number[]> {
  const tiles = 2 ** zoom;
  const last = (from: number, length: number) => Math.min(tiles - 1, Math.floor((from + length) * tiles));
  const places: { x: number; y: number }[] = [];
  for (let x = Math.floor(box.west * tiles); x <= last(box.west, box.width); x++) {
    for (let y = Math.floor(box.north * tiles); y <= last(box.north, box.height); y++) places.push({ x, y });
  }
  const answers = await Promise.all(
    places.map((place) => client.read('matching_density', { filter: { county: fips }, z: zoom, ...place }, { signal })),
  );
  return answers.flatMap(({ cells }) => cells.map(({ id }) => id));
}

export function CountyInset({ fips, box, map }: { fips: string; box: Box; map: MapLibre | null }) {
  const client = useClient();
  const { data: home } = useRead('home', {}, { isLasting: true });
  const frame = frameOf(box);
  const { data: cells = [] } = useQuery({
    queryKey: ['county_cells', fips, box],
    queryFn: ({ signal }) => readCells(client, fips, frame, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const view = useView(map);
  const scale = 0.92 * Math.min(size.width / frame.width, size.height / frame.height);
  const left = (size.width - frame.width * scale) / 2;
  const top = (size.height - frame.height * scale) / 2;
  const at = ({ x, y }: Plane) => ({ x: left + (x - frame.west) * scale, y: top + (y - frame.north) * scale });
  const side = 1 / (cellsASide * 2 ** frame.zoom);
  const path = cells.map((id) => {
    const { column, row } = placeOfCell(id, frame.zoom);
    const { x, y } = at({ x: column * side, y: row * side });
    return `M${x.toFixed(1)} ${y.toFixed(1)}h${(side * scale).toFixed(1)}v${(side * scale).toFixed(1)}h${(-side * scale).toFixed(1)}z`;
  });
  const name = home?.counties.find((county) => county.fips === fips)?.name ?? `County ${fips}`;
  const go = ({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>) => {
    const bounds = currentTarget.getBoundingClientRect();
    const x = frame.west + (((clientX - bounds.left) * size.width) / bounds.width - left) / scale;
    const y = frame.north + (((clientY - bounds.top) * size.height) / bounds.height - top) / scale;
    const latitude = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
    map?.easeTo({ center: [(x - 0.5) * 360, latitude] });
  };
  return (
    <div className="map-float map-inset">
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`Position in ${name}`}
        onPointerDown={go}
      >
        <path d={path.join('')} className="cells" />
        {view ? <Here from={at(planeOf(view[0], view[3]))} to={at(planeOf(view[2], view[1]))} /> : null}
      </svg>
      <p title={name}>{name}</p>
    </div>
  );
}

const clamp = (value: number, most: number): number => Math.min(most - 1, Math.max(1, value));

/** Never invisibly small, never beyond the picture. */
function Here({ from, to }: { from: Plane; to: Plane }) {
  const [x, y] = [clamp(from.x, size.width), clamp(from.y, size.height)];
  const width = Math.max(5, clamp(to.x, size.width) - x);
  const height = Math.max(4, clamp(to.y, size.height) - y);
  return <rect x={x} y={y} width={width} height={height} className="here" />;
}

function useView(map: MapLibre | null): Box | null {
  const [view, setView] = useState<Box | null>(null);
  useEffect(() => {
    if (!map) return;
    const say = () => {
      const bounds = map.getBounds();
      setView([bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]);
    };
    map.on('move', say);
    map.on('resize', say);
    say();
    return () => {
      map.off('move', say);
      map.off('resize', say);
    };
  }, [map]);
  return view;
}
