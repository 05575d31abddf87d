/** Makes the parcel sheet as PDF: one parcel on one Letter page, with map, facts and comp value; on a second its comps. */
import { LabelFont } from '../exporting/label-font.ts';
import { pdfInMemory } from '../exporting/pdf-file.ts';
import { type Box, boxPath, type Ink, PdfPage } from '../exporting/pdf-page.ts';
import { boundsOfMultiPolygon, type MultiPolygon, middleOfBounds } from '../geo/geometry.ts';
import { localMetric } from '../geo/local-metric.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { findParcel } from '../query/parcel-detail.ts';
import { grouped } from '../spec/counted.ts';
import { noParcel } from '../spec/errors.ts';
import { parcelColumns } from '../spec/parcel-columns.ts';
import { scaleOfMeters, sheetScales } from '../spec/sheet-paper.ts';
import type { ParcelDetail } from '../spec/wire-types.ts';
import type { LandStore } from '../store/land-store.ts';
import { chooseLayers } from './choose-layers.ts';
import { drawMap } from './draw-map.ts';
import { dollars, factText } from './fact-words.ts';
import { type GroundFrame, groundFrame } from './ground-frame.ts';
import { drawNorth, drawScaleBar } from './sheet-foot.ts';
import { inks } from './sheet-inks.ts';
import type { SheetPhoto } from './sheet-photo.ts';
import { drawValueGrid, type GridValue } from './value-grid-page.ts';

/** A comp value that was charged before. */
interface SheetValue {
  /** US dollars. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly comps: number;
  /** ISO date-time. */
  readonly valued_at: string;
  readonly grid: GridValue;
}

const letter = [612, 792] as const;
const margin = 44;
const quiet: Ink = [0.4, 0.41, 0.39];
const factSize = 9;
const factStep = 15;

/** Columns on the sheet, in this order; unpublished ones are left out. */
const facts = [
  'owner_name',
  'mailing_address',
  'acres',
  'calculated_acres',
  'land_use_description',
  'zoning',
  'subdivision',
  'school_district',
  'assessed_total_value',
  'market_total_value',
  'market_land_value',
  'tax_amount',
  'last_sale_price',
  'last_sale_date',
  'year_built',
  'building_sqft',
  'road_frontage_ft',
  'water_frontage_ft',
  'slope_mean_percent',
  'wetlands_percent',
  'flood_zone_percent',
  'legal_description',
];

const columns = new Map(parcelColumns.map((column) => [column.name, column]));

const joined = (...parts: unknown[]): string => parts.filter((part) => part !== null && part !== '').join(', ');

function drawHead(page: PdfPage, parcel: ParcelDetail, madeAt: Date): void {
  const apn = String(parcel.apn || `Parcel ${parcel.property_id}`);
  page.text(margin, 62, 22, apn, { room: 380 });
  const state = [parcel.situs_state, parcel.situs_zip].filter(Boolean).join(' ');
  const address = joined(parcel.situs_address, parcel.situs_city, state);
  page.text(margin, 80, 11, address || 'no address on record', { ink: quiet, room: 380 });
  const right = (y: number, text: string) =>
    page.text(letter[0] - margin - page.width(text, 9), y, 9, text, { ink: quiet });
  right(56, `${String(parcel.county_name ?? '')} ${String(parcel.fips)}`.trim());
  right(68, `Parcel sheet, ${madeAt.toISOString().slice(0, 10)}`);
}

/** @returns the y of the next line */
function drawFacts(page: PdfPage, parcel: ParcelDetail, top: number): number {
  const rows = facts.flatMap((name) => {
    const column = columns.get(name);
    const text = column ? factText(column, parcel[name as keyof ParcelDetail]) : null;
    return column && text !== null ? [[column.label, text] as const] : [];
  });
  // The left column is wider: it holds names and addresses.
  const leftWidth = (letter[0] - 2 * margin) * 0.56;
  const half = Math.ceil(rows.length / 2);
  for (const [index, [label, text]] of rows.entries()) {
    const x = margin + (index >= half ? leftWidth : 0);
    const y = top + (index % half) * factStep;
    page.text(x, y, factSize, label, { ink: quiet, room: 100 });
    page.text(x + 106, y, factSize, text, {
      room: (index >= half ? letter[0] - 2 * margin - leftWidth : leftWidth) - 116,
    });
  }
  return top + half * factStep;
}

function drawValue(page: PdfPage, { value, low, high, comps, valued_at: at }: SheetValue, y: number): void {
  page.text(margin, y + 8, 13, `Comp value ${dollars(value)}`);
  const range = `${dollars(low)} to ${dollars(high)}, from ${comps} ${comps === 1 ? 'comp' : 'comps'}, ${at.slice(0, 10)}. A research indication, not an appraisal.`;
  page.text(margin, y + 23, factSize, range, { ink: quiet });
}

interface SheetOptions {
  /** Null while the parcel has not been valued. */
  readonly value: SheetValue | null;
  readonly madeAt: Date;
  /** Whether a viewer shows its print dialog at once. */
  readonly isToPrint: boolean;
  /** The photo under the map; absent: none. */
  readonly photoOf?: (frame: GroundFrame) => Promise<SheetPhoto>;
}

/**
 * The sheet as a PDF of one page, or two with a comp value.
 * @throws EngineError not_found
 */
export async function makeParcelSheet(
  land: LandStore,
  propertyId: number,
  { value, madeAt, isToPrint, photoOf }: SheetOptions,
): Promise<{ readonly name: string; readonly pdf: Uint8Array }> {
  const parcel = findParcel(land, propertyId);
  if (!parcel) throw noParcel(propertyId);
  const apn = String(parcel.apn || propertyId);
  const font = LabelFont.load();
  const page = new PdfPage(font, letter);
  drawHead(page, parcel, madeAt);
  const box = { x: margin, y: 96, width: letter[0] - 2 * margin, height: 330 };
  const geom = land.file.get<{ geom: Uint8Array | null }>(
    'SELECT geom FROM parcels WHERE property_id = ?',
    propertyId,
  )?.geom;
  const frame = geom && frameAround(decodeMultiPolygon(geom), box);
  const photo = (frame && (await photoOf?.(frame))) ?? null;
  if (frame) drawParcel(page, land, propertyId, frame, photo);
  else page.text(margin, 240, 11, 'The county’s file has no shape for this parcel.', { ink: quiet });
  const next = drawFacts(page, parcel, geom ? 452 : 270);
  if (value) drawValue(page, value, next + 12);
  const source = joined(parcel.source_name, parcel.source_date, photo && `photo ${photo.source}`);
  page.text(margin, letter[1] - 58, 8, source ? `Source: ${source}` : '', { ink: quiet, room: letter[0] - 2 * margin });
  page.text(
    margin,
    letter[1] - 40,
    factSize,
    'Boundaries are approximate, not a survey. Made on this computer; what it shows stays on this computer.',
  );
  const { file, bytes } = pdfInMemory();
  const embedded = font.embed(file);
  const catalog = page.addTo(file, embedded);
  if (value) drawValueGrid(font, `Comp value of ${apn}`, value.grid).addTo(file, embedded);
  file.finish({ title: `Parcel ${apn}`, madeAt, catalog: isToPrint ? { ...catalog, ...opensPrinter } : catalog });
  return { name: `parcel-${apn.replace(/[^\w.-]+/g, '_')}.pdf`, pdf: bytes() };
}

/** Makes viewers show the print dialog on opening (named action Print, ISO 32000-1, 12.6.4.11). */
const opensPrinter = { OpenAction: '<< /Type /Action /S /Named /N /Print >>' };

/** Share of the picture that the parcel fills at most. */
const share = 0.62;

/** The parcel among its neighbors, at the largest scale offered at which it leaves them room. */
function frameAround(polygons: MultiPolygon, box: Box): GroundFrame {
  const bounds = boundsOfMultiPolygon(polygons);
  const { minX, maxX, minY, maxY } = bounds;
  const [longitude, latitude] = middleOfBounds(bounds);
  const metric = localMetric(latitude);
  const wide = ((maxX - minX) * metric.x) / (box.width * share);
  const least = scaleOfMeters(Math.max(wide, ((maxY - minY) * metric.y) / (box.height * share)));
  const scale = sheetScales.find((one) => one >= least) ?? least;
  return groundFrame(box, [longitude, latitude], scale);
}

function drawParcel(
  page: PdfPage,
  land: LandStore,
  propertyId: number,
  frame: GroundFrame,
  photo: SheetPhoto | null,
): void {
  const { box, scale } = frame;
  const selected = new Set([propertyId]);
  const layers = { ...chooseLayers(land), ...(photo && { hasRelief: false, hasContours: false }) };
  drawMap(page, land, frame, { ...layers, photo, matched: null, fill: null, selected, texts: ['apn', 'owner'] });
  page.area([boxPath(box)], { stroke: inks.frame, width: 0.8 });
  const [left, top] = [box.x + 8, box.y + box.height - 34];
  page.area([boxPath({ x: left, y: top, width: 142, height: 26 })], { fill: inks.halo, opacity: 0.85 });
  drawScaleBar(page, frame, { x: left + 8, y: top + 11, width: 96 });
  const right = box.x + box.width - 8;
  page.area([boxPath({ x: right - 52, y: top, width: 52, height: 26 })], { fill: inks.halo, opacity: 0.85 });
  page.text(right - 24, top + 16, 7.5, `1:${grouped(scale)}`, { align: 'middle' });
  drawNorth(page, right - 44, top + 8);
}
