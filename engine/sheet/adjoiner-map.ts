/**
 * Makes the adjoiner map of a parcel as PDF: its neighbors numbered on a map to scale, with their owners and mailing addresses
 * in a table of the same numbers; then the proof page, which lists every account that a notice goes to, and how it was found.
 */
import { LabelFont } from '../exporting/label-font.ts';
import { pdfInMemory } from '../exporting/pdf-file.ts';
import { boxPath, PdfPage } from '../exporting/pdf-page.ts';
import { wrapText } from '../exporting/wrap-text.ts';
import { boundsOfMultiPolygon, type MultiPolygon, middleOfBounds } from '../geo/geometry.ts';
import { localMetric, metersPerFoot } from '../geo/local-metric.ts';
import { type FoundNeighbours, findNeighbours, type Relation } from '../query/neighbours.ts';
import { findParcel } from '../query/parcel-detail.ts';
import { counted, grouped } from '../spec/counted.ts';
import { formatDate } from '../spec/date-words.ts';
import { EngineError, noParcel } from '../spec/errors.ts';
import { scaleOfMeters, sheetScales } from '../spec/sheet-paper.ts';
import type { ParcelDetail } from '../spec/wire-types.ts';
import type { LandStore } from '../store/land-store.ts';
import { type Addressed, addressedLots, type NumberedLot, shapesOf } from './addressed-lots.ts';
import { chooseLayers } from './choose-layers.ts';
import { drawMap } from './draw-map.ts';
import { type GroundFrame, georeference, groundFrame } from './ground-frame.ts';
import {
  badge,
  drawNumber,
  type PlacedNumber,
  type PlacedNumbers,
  placeNumbers,
  tintNumbered,
} from './numbered-lots.ts';
import {
  type Column,
  drawHeads,
  drawRow,
  lastRow,
  letter,
  margin,
  right,
  rowSize,
  rowStep,
  ruleOff,
} from './page-table.ts';
import { drawProof } from './proof-pages.ts';
import { drawNorth, drawPageFoot, drawScaleBar } from './sheet-foot.ts';
import { inks } from './sheet-inks.ts';

interface AdjoinerOptions {
  readonly propertyId: number;
  /** Also parcels within so many feet of the boundary; null: those that abut and those across the road. */
  readonly feet: number | null;
  readonly madeAt: Date;
  /** Not printed; absent: all is. */
  readonly hides?: { readonly owners: boolean; readonly mailing: boolean };
}

export interface AdjoinerMap {
  readonly name: string;
  readonly pdf: Uint8Array;
  readonly pages: number;
  readonly scale: number;
  /** Lots with a number, and accounts on them and on the parcel's own ground. */
  readonly lots: number;
  readonly accounts: number;
  /** Sentences about what the pages leave out or cannot tell. */
  readonly notes: readonly string[];
}

const mapBox = { x: margin, y: 70, width: right - margin, height: 352 };
/** Rows of a table that then ends on its page. */
const leastStep = 12.4;
/** More rows are a county's list, not a lot's neighbors. */
const mostLots = 2000;

const groups: readonly {
  readonly relation: Relation;
  readonly title: (feet: number | null) => string;
  readonly short: (feet: number | null) => string;
  /** What the feet of its rows are. */
  readonly feet: string;
}[] = [
  { relation: 'abutting', title: () => 'Abutting', short: () => 'abutting', feet: '' },
  { relation: 'across', title: () => 'Across the road', short: () => 'across the road', feet: 'feet facing' },
  {
    relation: 'within',
    title: (feet) => `Also within ${grouped(feet ?? 0)} ft of the boundary`,
    short: (feet) => `also within ${grouped(feet ?? 0)} ft`,
    feet: 'feet away',
  },
];

/**
 * Whose land lies around a parcel, as PDF: its neighbors numbered on a map to scale, a table of owners and mailing addresses,
 * and a proof page with every account. Free.
 * @example const { pdf, lots, accounts } = adjoinerMap(engine, 2, 250);
 * @param feet also parcels within so many feet of the boundary
 * @throws EngineError not_found; validation_error if the parcel has no shape, or more neighbors than a page can number
 */
export function adjoinerMap(
  { land, now }: { readonly land: LandStore; readonly now: () => Date },
  propertyId: number,
  feet: number | null = null,
): AdjoinerMap {
  const options: AdjoinerOptions = { propertyId, feet, madeAt: now() };
  return land.file.snapshot(() => pagesOf(land, options).make());
}

/** The map and the table of them, without proof and feet, for a report. @throws EngineError as `adjoinerMap` does */
export const adjoinerPages = (land: LandStore, options: AdjoinerOptions) => pagesOf(land, options).draw().pages;

function pagesOf(land: LandStore, options: AdjoinerOptions): AdjoinerPages {
  const parcel = findParcel(land, options.propertyId);
  const found = parcel && findNeighbours(land, options.propertyId, options.feet);
  if (!found) throw noParcel(options.propertyId);
  const own = shapesOf(land, [options.propertyId]).get(options.propertyId);
  if (!own) throw new EngineError('validation_error', noShape(found));
  const lots = addressedLots(land, found.neighbours);
  if (lots.length > mostLots)
    throw new EngineError(
      'validation_error',
      `${grouped(lots.length)} lots lie within ${grouped(options.feet ?? 0)} ft; an adjoiner map numbers at most ${grouped(mostLots)}. Ask for fewer feet.`,
    );
  return new AdjoinerPages(land, parcel, own, lots, found, options);
}

const noShape = ({ notices }: FoundNeighbours): string =>
  notices[0] ?? 'An adjoiner map needs the shape of the parcel itself; this account lies on the lot of another.';

const tableColumns = {
  number: { head: 'No.', x: margin, room: 17, isNumber: true },
  apn: { head: 'APN', x: margin + 23, room: 77 },
  owner: { head: 'Owner', x: margin + 104, room: 142 },
  mailing: { head: 'Mailing address', x: margin + 250, room: 182 },
  acres: { head: 'Acres', x: margin + 434, room: 32, isNumber: true },
  feet: { head: 'Shared, ft', x: margin + 466, room: 46, isNumber: true },
  direction: { head: '', x: margin + 518, room: 22 },
} as const satisfies Record<string, Column>;

class AdjoinerPages {
  readonly #font = LabelFont.load();
  readonly #land: LandStore;
  readonly #parcel: ParcelDetail;
  readonly #own: MultiPolygon;
  readonly #lots: readonly NumberedLot[];
  readonly #found: FoundNeighbours;
  readonly #options: AdjoinerOptions;
  readonly #pages: PdfPage[] = [];

  constructor(
    land: LandStore,
    parcel: ParcelDetail,
    own: MultiPolygon,
    lots: readonly NumberedLot[],
    found: FoundNeighbours,
    options: AdjoinerOptions,
  ) {
    this.#land = land;
    this.#parcel = parcel;
    this.#own = own;
    this.#lots = options.hides?.owners ? lots.map((one) => ({ ...one, lot: { ...one.lot, owner_name: '' } })) : lots;
    this.#found = found;
    this.#options = options;
  }

  draw() {
    const { frame, placed, own } = this.#fitted();
    const page = this.#page();
    this.#drawHead(page, frame);
    this.#drawMap(page, frame, { placed, own });
    this.#drawTable(page, mapBox.y + mapBox.height + 52, placed);
    return { frame, placed, pages: this.#pages };
  }

  make(): AdjoinerMap {
    const [{ frame, placed }, accounts, { madeAt, feet }] = [this.draw(), this.#accounts(), this.#options];
    const proof = {
      apn: this.#apn,
      parcel: this.#parcel,
      shape: this.#own,
      feet,
      lots: this.#lots.length,
      accounts,
      madeAt,
    };
    drawProof(this.#land, proof, () => this.#page());
    const source = `Made with Platbook, ${formatDate(madeAt.toISOString())}`;
    for (const [at, one] of this.#pages.entries()) drawPageFoot(one, this.#land, source, [at, this.#pages.length]);
    const title = `Adjoiners of ${this.#apn}`;
    const { file, bytes } = pdfInMemory();
    const font = this.#font.embed(file);
    const catalogs = this.#pages.map((one, at) =>
      one.addTo(file, font, at === 0 ? georeference(frame, letter[1], title) : {}),
    );
    file.finish({ title, madeAt, ...(catalogs[0] && { catalog: catalogs[0] }) });
    return {
      name: `adjoiners-${this.#apn.replace(/[^\w.-]+/g, '_')}.pdf`,
      pdf: bytes(),
      pages: this.#pages.length,
      scale: frame.scale,
      lots: this.#lots.length,
      accounts: accounts.length,
      notes: this.#notes(placed),
    };
  }

  get #apn(): string {
    return String(this.#parcel.apn || this.#parcel.property_id);
  }

  #page(): PdfPage {
    const page = new PdfPage(this.#font, letter);
    this.#pages.push(page);
    return page;
  }

  /** All accounts in the order of their numbers. */
  #accounts(): { readonly number: number; readonly account: Addressed }[] {
    return this.#lots.flatMap(({ number, lot, accounts }) =>
      [lot, ...accounts].map((account) => ({ number, account })),
    );
  }

  /** The largest scale offered at which each lot has its number on the map; else the one with most of them. */
  #fitted(): { readonly frame: GroundFrame } & PlacedNumbers {
    const bounds = boundsOfMultiPolygon(this.#own);
    const middle = middleOfBounds(bounds);
    const metric = localMetric(middle[1]);
    const around = 2 * ((this.#options.feet ?? 0) * metersPerFoot);
    // The parcel with the feet around it, and a strip of its neighbors.
    const [wide, high] = [(bounds.maxX - bounds.minX) * metric.x, (bounds.maxY - bounds.minY) * metric.y];
    const strip = 1.45;
    const meters = Math.max((wide * strip + around) / mapBox.width, (high * strip + around) / mapBox.height);
    const least = scaleOfMeters(meters);
    const offered = sheetScales.filter((one) => one >= least).slice(0, 4);
    const tried = (offered.length > 0 ? offered : [least]).map((scale) => {
      const frame = groundFrame(mapBox, middle, scale);
      return { frame, ...placeNumbers(this.#font, frame, this.#lots, { shape: this.#own, lines: this.#ownLines() }) };
    });
    const first = tried.find(({ placed }) => placed.length === this.#lots.length);
    return first ?? tried.reduce((best, one) => (one.placed.length > best.placed.length ? one : best));
  }

  #drawHead(page: PdfPage, { scale }: GroundFrame): void {
    const { owner_name: owner, situs_address: street, situs_city: city, county_name: county, fips } = this.#parcel;
    page.text(margin, 44, 19, `Adjoiners of ${this.#apn}`, { isBold: true, room: 400 });
    const place = [[street, city].filter(Boolean).join(', '), `${county ?? ''} ${fips}`.trim()];
    page.text(margin, 59, 9, [this.#options.hides?.owners ? '' : owner, ...place].filter(Boolean).join(' · '), {
      ink: inks.quiet,
      room: 420,
    });
    page.text(right, 48, 9, `1 : ${grouped(Math.round(scale))} on letter`, { align: 'right' });
    page.text(right, 60, 8, this.#sourceWords(), { align: 'right', ink: inks.quiet });
  }

  /** `Parcels of 2 Nov 2026`: of the county's file. */
  #sourceWords(): string {
    const date = this.#parcel.source_date;
    return `Parcels of ${date ? formatDate(date) : 'an unknown date'}`;
  }

  #drawMap(page: PdfPage, frame: GroundFrame, { placed, own }: PlacedNumbers): void {
    const { propertyId, feet } = this.#options;
    drawMap(page, this.#land, frame, {
      ...chooseLayers(this.#land),
      ...{ matched: null, fill: null, selected: new Set([propertyId]), texts: [] },
      own: {
        reserve: (field) => {
          for (const { box } of own ? [own, ...placed] : placed) field.block(box);
        },
        tint: () => tintNumbered(page, frame, this.#lots),
        names: () => {
          for (const one of placed) drawNumber(page, one);
          if (own) this.#drawOwnName(page, own);
        },
      },
    });
    page.area([boxPath(mapBox)], { stroke: inks.frame, width: 0.9 });
    const y = mapBox.y + mapBox.height + 10;
    drawNorth(page, margin + 12, y + 7);
    drawScaleBar(page, frame, { x: margin + 42, y: y + 10, width: 124 });
    let x = right;
    for (const { relation, short } of groups.toReversed()) {
      const count = this.#lots.filter(({ lot }) => lot.relation === relation).length;
      if (count === 0) continue;
      const words = `${short(feet)} ${grouped(count)}`;
      x -= page.width(words, 8);
      page.text(x, y + 13, 8, words, { isCentered: true });
      x -= 11;
      badge(page, x, y + 13, relation, '');
      x -= 18;
    }
    const words = 'this parcel';
    x -= page.width(words, 8);
    page.text(x, y + 13, 8, words, { isCentered: true });
    page.area([boxPath({ x: x - 20, y: y + 9, width: 15, height: 8 })], { stroke: inks.selected, width: 1.6 });
  }

  /** The parcel's APN and acres. */
  #ownLines(): string[] {
    const acres = this.#parcel.acres ?? this.#parcel.calculated_acres;
    return [this.#apn, ...(acres === null ? [] : [`${acres.toFixed(2)} ac`])];
  }

  #drawOwnName(page: PdfPage, { x, y, size }: NonNullable<PlacedNumbers['own']>): void {
    for (const [at, line] of this.#ownLines().entries()) {
      const style = {
        align: 'middle',
        isCentered: true,
        ink: inks.letters,
        halo: inks.halo,
        isBold: at === 0,
      } as const;
      page.text(x, y + (at - 0.5) * size * 1.2, at === 0 ? size : size * 0.8, line, style);
    }
  }

  #drawTable(first: PdfPage, top: number, placed: readonly PlacedNumber[]): void {
    const onMap = new Set(placed.map(({ number }) => number));
    const used = groups.filter(({ relation }) => this.#lots.some(({ lot }) => lot.relation === relation)).length;
    const whole = (lastRow - 9 - top) / (this.#lots.length + used + 1);
    const step = whole >= leastStep ? Math.min(rowStep, whole) : rowStep;
    let [page, y] = [first, top];
    const begin = () => {
      drawHeads(page, y, tableColumns);
      y += step;
    };
    const next = () => {
      [page, y] = [this.#page(), 60];
      page.text(margin, 40, 12, `Adjoiners of ${this.#apn}, continued`, { isBold: true });
      begin();
    };
    begin();
    for (const { relation, title, feet } of groups) {
      const lots = this.#lots.filter(({ lot }) => lot.relation === relation);
      if (lots.length === 0) continue;
      if (y + step > lastRow) next();
      page.area([boxPath({ x: margin, y: y + 4.6 - step, width: right - margin, height: step })], { fill: inks.open });
      page.text(margin + 3, y, rowSize, title(this.#options.feet), { isBold: true });
      page.text(tableColumns.feet.x + tableColumns.feet.room, y, rowSize, feet, { align: 'right', ink: inks.quiet });
      y += step;
      for (const one of lots) {
        if (y > lastRow) next();
        const cells = this.#cells(one, onMap.has(one.number));
        drawRow(page, y, tableColumns, (name) => cells[name]);
        ruleOff(page, y);
        y += step;
      }
    }
    this.#drawNotes(page, y);
  }

  #drawNotes(page: PdfPage, top: number): void {
    let y = top;
    if (this.#lots.length === 0) {
      page.text(margin, y, rowSize, 'No other parcel lies here.');
      y += rowStep;
    }
    const notes = [
      ...(!this.#options.hides?.owners && this.#lots.some(({ lot }) => lot.same_owner)
        ? ['* the same owner as this parcel.']
        : []),
      `Owners and addresses as in the county's file (${this.#sourceWords()}); none looked up since.${this.#options.hides ? '' : ' Every account is on the proof page.'}`,
      ...this.#found.notices,
    ].join(' ');
    for (const line of wrapText(notes, right - margin, (text) => page.width(text, 7))) {
      if (y > lastRow + 12) break;
      page.text(margin, y, 7, line, { ink: inks.quiet });
      y += 9;
    }
  }

  #cells({ number, lot, accounts }: NumberedLot, isOnMap: boolean): Record<keyof typeof tableColumns, string> {
    const { relation, shared_feet: shared, distance_feet: away, direction } = lot;
    const more = accounts.length > 0 ? ` and ${counted(accounts.length, 'more account', 'more accounts')}` : '';
    const feet = grouped(Math.round(relation === 'within' ? away : shared));
    const [acres, hides] = [lot.acres ?? lot.calculated_acres, this.#options.hides];
    return {
      number: isOnMap ? String(number) : `(${number})`,
      apn: lot.apn || 'no APN',
      owner: `${lot.owner_name || (hides?.owners ? 'not shown' : 'not published')}${lot.same_owner && !hides?.owners ? ' *' : ''}${more}`,
      mailing: hides?.mailing ? 'not shown' : (lot.mailing ?? 'none known'),
      acres: acres === null ? '' : acres.toFixed(1),
      feet: direction === null ? 'same lot' : feet,
      direction: direction ?? '',
    };
  }

  #notes(placed: readonly PlacedNumber[]): string[] {
    const left = this.#lots.length - placed.length;
    return [
      ...(left === 0
        ? []
        : [
            `${counted(left, 'number', 'numbers')} of the table found no room on the map and ${left === 1 ? 'stands' : 'stand'} in brackets.`,
          ]),
      ...this.#found.notices,
    ];
  }
}
