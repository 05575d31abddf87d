/** The county's outline, with the file's box. */
import { useRead } from '../state/client-context.tsx';

type FileBox = readonly [number, number, number, number];

const size = { width: 100, height: 76 };
const margin = 4;

interface Frame {
  readonly at: (longitude: number, latitude: number) => readonly [number, number];
}

/** Uses the length of a degree of longitude in the middle of the picture. */
function frameOf(places: readonly (readonly [number, number])[]): Frame {
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const [width, height] = [Math.max((east - west) * shrink, 1e-6), Math.max(north - south, 1e-6)];
  const scale = Math.min((size.width - 2 * margin) / width, (size.height - 2 * margin) / height);
  const [left, top] = [(size.width - width * scale) / 2, (size.height - height * scale) / 2];
  return { at: (x, y) => [left + (x - west) * shrink * scale, top + (north - y) * scale] };
}

const pairsOf = (ring: readonly number[]): [number, number][] =>
  ring.flatMap((x, i) => (i % 2 === 0 ? [[x, ring[i + 1] ?? 0] as [number, number]] : []));

/** @param places of parcels; none for a layer, which may reach beyond the county that it completes */
export function useCountyPlace(
  fips: string | null,
  bounds: FileBox | null,
  places: readonly (readonly [number, number])[] = [],
) {
  return useRead(
    'county_place',
    {
      ...(fips ? { fips } : {}),
      ...(bounds ? { bounds: [...bounds] as [number, number, number, number] } : {}),
      ...(places.length > 0 ? { places: places.map(([x, y]): [number, number] => [x, y]) } : {}),
    },
    { when: fips !== null || bounds !== null, isLasting: true },
  ).data;
}

export function WhereItLies({ fips, bounds }: { fips: string | null; bounds: FileBox | null }) {
  const place = useCountyPlace(fips, bounds);
  const rings = (place?.outline ?? []).map(pairsOf);
  const box: [number, number][] = bounds
    ? [
        [bounds[0], bounds[1]],
        [bounds[2], bounds[3]],
      ]
    : [];
  const isNear = place?.lies !== 'elsewhere';
  const places = [...rings.flat(), ...(isNear || rings.length === 0 ? box : [])];
  if (places.length === 0) return null;
  const { at } = frameOf(places);
  const path = rings.map(
    (ring) =>
      `M${ring
        .map(([x, y]) =>
          at(x, y)
            .map((one) => one.toFixed(1))
            .join(' '),
        )
        .join('L')}Z`,
  );
  const [from, to] = box.map(([x, y]) => at(x, y));
  return (
    <svg
      className="where-svg"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-label="The file in its county"
    >
      <path className="county-line" d={path.join('')} />
      {from && to && isNear ? (
        <rect
          className="file-box"
          x={from[0]}
          y={to[1]}
          width={Math.max(2, to[0] - from[0])}
          height={Math.max(2, from[1] - to[1])}
        />
      ) : null}
    </svg>
  );
}
