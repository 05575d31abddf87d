/** GeoJSON (RFC 7946): WGS84, exterior rings counterclockwise, one feature a line. */
import { type MultiPolygon, planarRingArea, type Ring } from '../geo/geometry.ts';
import type { ExportRow, ExportSource } from './export-source.ts';
import { type Sink, withFile } from './file-sink.ts';

/** Section 3.1.6: the exterior counterclockwise, holes clockwise; older readers may rely on it. */
function ringText(ring: Ring, isExterior: boolean): string {
  const isTurned = planarRingArea(ring) > 0 !== isExterior;
  const last = ring.length / 2 - 1;
  const positions = Array.from({ length: last + 1 }, (_, i) => {
    const at = (isTurned ? last - i : i) * 2;
    return `[${ring[at]},${ring[at + 1]}]`;
  });
  return `[${positions.join(',')}]`;
}

const coordinatesText = (shape: MultiPolygon): string =>
  `[${shape.map((rings) => `[${rings.map((ring, i) => ringText(ring, i === 0)).join(',')}]`).join(',')}]`;

function geometryText({ shape, point }: ExportRow): string {
  if (shape) return `{"type":"MultiPolygon","coordinates":${coordinatesText(shape)}}`;
  return point ? `{"type":"Point","coordinates":[${point.join(',')}]}` : 'null';
}

/** The same text as a saved file and as a feed. */
export async function writeGeoJsonTo(source: ExportSource, sink: Sink): Promise<void> {
  const names = source.columns.map(({ name }) => JSON.stringify(name));
  sink.put(`{"type":"FeatureCollection","name":${JSON.stringify(source.title)},"features":[`);
  let separator = '\n';
  for await (const rows of source.batches()) {
    for (const row of rows) {
      const properties = names.map((name, i) => `${name}:${JSON.stringify(row.values[i] ?? null)}`).join(',');
      sink.put(
        `${separator}{"type":"Feature","id":${row.id},"properties":{${properties}},"geometry":${geometryText(row)}}`,
      );
      separator = ',\n';
    }
    await sink.flush();
  }
  sink.put('\n]}\n');
  await sink.flush();
}

export const writeGeoJson = (source: ExportSource, filePath: string): Promise<string[]> =>
  withFile(filePath, async (sink) => {
    await writeGeoJsonTo(source, sink);
    return [];
  });
