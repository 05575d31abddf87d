/** Writes GPX 1.1 for GPS devices: a waypoint on the surface of each parcel that has a location. */
import type { ExportColumn } from './export-columns.ts';
import { type ExportRow, type ExportSource, headingOf } from './export-source.ts';
import { withFile } from './file-sink.ts';
import { xmlText } from './xml-text.ts';

/** Columns in the description of a waypoint; devices show a few lines at most. */
const described = ['owner_name', 'acres', 'calculated_acres', 'situs_address'];

function description(columns: readonly ExportColumn[], { values }: ExportRow): string {
  const parts = described.flatMap((name) => {
    const place = columns.findIndex((column) => column.name === name);
    const column = columns[place];
    const value = values[place];
    if (!column || value === null || value === undefined) return [];
    return [column.kind === 'number' ? `${headingOf(column)}: ${value}` : String(value)];
  });
  return parts.join('; ');
}

export const writeGpx = (source: ExportSource, filePath: string): Promise<string[]> =>
  withFile(filePath, async (sink) => {
    sink.put(
      `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Platbook" xmlns="http://www.topografix.com/GPX/1/1"><metadata><name>${xmlText(source.title)}</name><time>${source.madeAt.toISOString()}</time></metadata>\n`,
    );
    let placeless = 0;
    for await (const rows of source.batches()) {
      for (const row of rows) {
        if (!row.point) {
          placeless++;
          continue;
        }
        const [longitude, latitude] = row.point;
        const text = xmlText(description(source.columns, row));
        sink.put(
          `<wpt lat="${latitude}" lon="${longitude}"><name>${xmlText(row.name)}</name>${text === '' ? '' : `<desc>${text}</desc>`}</wpt>\n`,
        );
      }
      await sink.flush();
    }
    sink.put('</gpx>\n');
    return placeless === 0 ? [] : [`${placeless} of ${source.count} parcels have no location and are left out.`];
  });
