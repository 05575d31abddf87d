/** Makes the parcel sheet: one parcel on one Letter page as PDF, with map, facts and comp value. */
import { findParcel } from '../query/parcel-detail.ts';
import { EngineError } from '../spec/errors.ts';
import { type ParcelColumn, parcelColumns } from '../spec/parcel-columns.ts';
import type { ParcelDetail } from '../spec/wire-types.ts';
import type { LandStore } from '../store/land-store.ts';
import { drawMap } from './sheet-map.ts';
import { type Ink, SheetPage } from './sheet-page.ts';

/** A comp value that was charged before. */
export interface SheetValue {
  /** US dollars. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly comps: number;
  /** ISO date-time. */
  readonly valued_at: string;
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
  'slope_mean_percent',
  'wetlands_percent',
  'flood_zone_percent',
  'legal_description',
];

const columns = new Map(parcelColumns.map((column) => [column.name, column]));

const dollars = (value: number): string => `$${Math.round(value).toLocaleString('en-US')}`;

/** The unit, taken from the column's name. */
function unitOf(name: string): string {
  if (/acres$/.test(name)) return ' ac';
  if (/sqft$/.test(name)) return ' sq ft';
  if (/_ft$/.test(name)) return ' ft';
  return /_percent$/.test(name) ? ' %' : '';
}

/** The value in words; null if unknown. */
function factText({ type, name }: ParcelColumn, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (type === 'money') return dollars(value as number);
  if (type === 'percent') return `${(value as number).toLocaleString('en-US', { maximumFractionDigits: 1 })} %`;
  if (type === 'boolean') return value === true ? 'yes' : 'no';
  // Years have no thousands separator.
  if (typeof value === 'number' && !/year/.test(name))
    return `${value.toLocaleString('en-US', { maximumFractionDigits: 2 })}${unitOf(name)}`;
  return String(value);
}

const joined = (...parts: unknown[]): string => parts.filter((part) => part !== null && part !== '').join(', ');

function drawHead(page: SheetPage, parcel: ParcelDetail, madeAt: Date): void {
  const apn = String(parcel.apn || `Parcel ${parcel.property_id}`);
  page.text(margin, 62, 22, apn, { room: 380 });
  const address = joined(parcel.situs_address, parcel.situs_city, parcel.situs_state);
  page.text(margin, 80, 11, address || 'no address on record', { ink: quiet, room: 380 });
  const right = (y: number, text: string) =>
    page.text(letter[0] - margin - page.width(text, 9), y, 9, text, { ink: quiet });
  right(56, `${String(parcel.county_name ?? '')} ${String(parcel.fips)}`.trim());
  right(68, `Parcel sheet, ${madeAt.toISOString().slice(0, 10)}`);
}

/** @returns the y of the next line */
function drawFacts(page: SheetPage, parcel: ParcelDetail, top: number): number {
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

function drawValue(page: SheetPage, { value, low, high, comps, valued_at: at }: SheetValue, y: number): void {
  page.text(margin, y + 8, 13, `Comp value ${dollars(value)}`);
  const range = `${dollars(low)} to ${dollars(high)}, from ${comps} ${comps === 1 ? 'comp' : 'comps'}, ${at.slice(0, 10)}. A research indication, not an appraisal.`;
  page.text(margin, y + 23, factSize, range, { ink: quiet });
}

export interface SheetOptions {
  /** Null while the parcel has not been valued. */
  readonly value: SheetValue | null;
  readonly madeAt: Date;
  /** Whether a viewer shows its print dialog at once. */
  readonly isToPrint: boolean;
}

/**
 * The sheet as a PDF of one page.
 * @throws EngineError not_found
 */
export async function makeParcelSheet(
  land: LandStore,
  propertyId: number,
  { value, madeAt, isToPrint }: SheetOptions,
): Promise<{ readonly name: string; readonly pdf: Uint8Array }> {
  const parcel = findParcel(land, propertyId);
  if (!parcel) throw new EngineError('not_found', `There is no parcel ${propertyId}.`);
  const apn = String(parcel.apn || propertyId);
  const page = await SheetPage.open(`Parcel ${apn}`, madeAt, letter);
  drawHead(page, parcel, madeAt);
  const box = { x: margin, y: 96, width: letter[0] - 2 * margin, height: 330 };
  const geom = land.file.get<{ geom: Uint8Array | null }>(
    'SELECT geom FROM parcels WHERE property_id = ?',
    propertyId,
  )?.geom;
  if (geom) drawMap(page, land, propertyId, geom, box);
  else page.text(margin, 240, 11, 'The county’s file has no shape for this parcel.', { ink: quiet });
  const next = drawFacts(page, parcel, geom ? 452 : 270);
  if (value) drawValue(page, value, next + 12);
  const source = joined(parcel.source_name, parcel.source_date);
  page.text(margin, letter[1] - 58, 8, source ? `Source: ${source}` : '', { ink: quiet, room: letter[0] - 2 * margin });
  page.text(
    margin,
    letter[1] - 40,
    factSize,
    'Boundaries are approximate, not a survey. Made on this computer; what it shows stays on this computer.',
  );
  if (isToPrint) page.askForPrinter();
  return { name: `parcel-${apn.replace(/[^\w.-]+/g, '_')}.pdf`, pdf: await page.save() };
}
