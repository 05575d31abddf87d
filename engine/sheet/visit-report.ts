/**
 * Draws the report of a visit as PDF pages: a map with numbered photos and the way walked beside the form, the photos with their
 * captions, what was found, a line to sign; with the baseline, abutters, acres and sources. It shows what the report holds, and
 * no more. A number stands on a map and in its photo's row, or its row says that it is on no map.
 */
import { LabelFont } from '../exporting/label-font.ts';
import { PdfFile } from '../exporting/pdf-file.ts';
import { type Box, boxPath, inkOf, PdfLayers, PdfPage } from '../exporting/pdf-page.ts';
import { wrapText } from '../exporting/wrap-text.ts';
import type { MultiPolygon } from '../geo/geometry.ts';
import { findParcel } from '../query/parcel-detail.ts';
import { counted, grouped } from '../spec/counted.ts';
import { formatDate } from '../spec/date-words.ts';
import { EngineError, noParcel } from '../spec/errors.ts';
import type { VisitReport } from '../spec/visits.ts';
import type { ParcelDetail } from '../spec/wire-types.ts';
import type { LandStore } from '../store/land-store.ts';
import { shapesOf } from './addressed-lots.ts';
import { adjoinerPages } from './adjoiner-map.ts';
import { chooseLayers } from './choose-layers.ts';
import { type GroundFrame, georeference } from './ground-frame.ts';
import { type Column, drawHeads, drawRow, lastRow, letter, margin, right, rowStep, ruleOff } from './page-table.ts';
import { drawPageFoot } from './sheet-foot.ts';
import { inks } from './sheet-inks.ts';
import { drawVisitFurniture, drawVisitMap, fitVisitMap, type VisitMap } from './visit-map.ts';
import { type DrawnPhoto, drawPhotoCell } from './visit-photo.ts';

export interface WrittenVisit {
  readonly pages: number;
  readonly photos: number;
  readonly scale: number;
  readonly notes: readonly string[];
}

const mapBox: Box = { x: margin, y: 68, width: 326, height: 246 };
const wholeBox: Box = { x: margin, y: 68, width: right - margin, height: 610 };
const form = { x: margin + 338, width: right - margin - 338, bottom: mapBox.y + mapBox.height + 30 };
const [flagFill, flagEdge] = [inkOf('#F9EFD7'), inkOf('#8A6410')];
const grid = { columns: 3, gap: 9, picture: 106, step: 137, first: 356 };
const cellWidth = (right - margin - (grid.columns - 1) * grid.gap) / grid.columns;
const bottom = letter[1] - 50;
/** Of an answer on a page. */
const mostLines = 60;
/** Abutters of more parcels are a list, not a report. */
const mostWithAbutters = 20;
/** More numbers hide the small map. */
const mostOnSmall = 24;

/**
 * @param photoOf each photo of the report, in its order; its bytes are read when its page is written
 * @param put takes the bytes of the file
 * @throws EngineError not_found; validation_error if no parcel has a shape
 */
export function writeVisitReport(
  land: LandStore,
  report: VisitReport,
  photoOf: (at: number) => DrawnPhoto,
  { put, madeAt }: { readonly put: (bytes: Uint8Array) => void; readonly madeAt: Date },
): WrittenVisit {
  return land.file.snapshot(() => new VisitPages(land, report, photoOf, madeAt).write(put));
}

class VisitPages {
  readonly #font = LabelFont.load();
  readonly #pages: PdfPage[] = [];
  readonly #land: LandStore;
  readonly #report: VisitReport;
  readonly #photoOf: (at: number) => DrawnPhoto;
  readonly #madeAt: Date;
  readonly #parcels: readonly ParcelDetail[];
  readonly #shapes: readonly MultiPolygon[];
  /** Frames of the maps, by their page. */
  readonly #frames = new Map<PdfPage, GroundFrame>();
  /** Of photos. */
  #onMap: ReadonlySet<number> = new Set();
  #page: PdfPage;
  #y = 0;

  constructor(land: LandStore, report: VisitReport, photoOf: (at: number) => DrawnPhoto, madeAt: Date) {
    this.#land = land;
    this.#report = report;
    this.#photoOf = photoOf;
    this.#madeAt = madeAt;
    this.#parcels = report.parcels.map((id) => {
      const parcel = findParcel(land, id);
      if (!parcel) throw noParcel(id);
      return parcel;
    });
    this.#shapes = [...shapesOf(land, report.parcels).values()];
    if (this.#shapes.length === 0)
      throw new EngineError(
        'validation_error',
        'A visit report needs the shape of a parcel; the county’s file has none.',
      );
    this.#page = this.#next();
  }

  write(put: (bytes: Uint8Array) => void): WrittenVisit {
    const ground = { shapes: this.#shapes, report: this.#report };
    // Without a form beside it the map takes the width of the page.
    const small = fitVisitMap(ground, this.#report.answers.length > 0 ? mapBox : { ...mapBox, width: right - margin });
    const placeable = this.#report.photos.filter(({ longitude }) => longitude !== null).length;
    const isCrowded = small.placed.length < placeable || placeable > mostOnSmall;
    const whole = isCrowded ? fitVisitMap(ground, wholeBox) : null;
    const numbered = whole ?? small;
    this.#onMap = new Set(numbered.placed.map(({ number }) => number));
    this.#drawHead();
    this.#drawMap(small, whole === null);
    const left = this.#drawForm();
    this.#drawPhotos(whole);
    if (left.length > 0) this.#drawFormOn(left);
    this.#drawFindings();
    this.#drawSignature();
    if (this.#report.abutters) this.#drawBaseline();
    for (const [at, page] of this.#pages.entries())
      drawPageFoot(page, this.#land, `Made with Platbook, ${formatDate(this.#madeAt.toISOString())}`, [
        at,
        this.#pages.length,
      ]);
    const file = new PdfFile(put);
    const font = this.#font.embed(file);
    const layers = new PdfLayers(file);
    for (const page of this.#pages) {
      const frame = this.#frames.get(page);
      page.addTo(file, font, frame ? georeference(frame, letter[1], this.#title) : {}, { layers });
    }
    file.finish({ title: this.#title, madeAt: this.#madeAt, catalog: layers.catalog() });
    const { photos } = this.#report;
    return {
      pages: this.#pages.length,
      photos: photos.length,
      scale: small.frame.scale,
      notes: this.#notes(placeable),
    };
  }

  get #title(): string {
    const [first] = this.#parcels;
    const apn = first?.apn || `parcel ${first?.property_id}`;
    const more = this.#parcels.length - 1;
    return `Visit report · ${apn}${more > 0 ? ` and ${grouped(more)} more` : ''}`;
  }

  #next(): PdfPage {
    this.#page = new PdfPage(this.#font, letter);
    this.#pages.push(this.#page);
    return this.#page;
  }

  /** A new page with the title, small; the next thing stands below. */
  #goOn(what: string): void {
    this.#next().text(margin, 40, 12, `${this.#title}, ${what}`, { isBold: true, room: right - margin });
    this.#y = 52;
  }

  #drawHead(): void {
    const { day, time, visitor, owners } = this.#report;
    const [{ owner_name: owner, situs_address: street, situs_city: city, county_name: county } = {} as ParcelDetail] =
      this.#parcels;
    this.#page.text(margin, 42, 18, this.#title, { isBold: true, room: 360 });
    const acres = this.#parcels.reduce<number | null>((sum, { acres: one, calculated_acres: measured }) => {
      const own = one ?? measured;
      return own === null || sum === null ? null : sum + own;
    }, 0);
    const words = [
      owners ? owner || 'owner not published' : '',
      acres === null ? 'acres unknown' : `${acres.toFixed(2)} ac`,
      [street, city, county].filter(Boolean).join(', '),
    ];
    this.#page.text(margin, 57, 9.4, words.filter(Boolean).join(' · '), { ink: inks.quiet, room: 380 });
    const weekday = new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' });
    const when = `${weekday} ${formatDate(day)}${time ? `, ${time}` : ''}`;
    this.#page.text(right, 44, 9.4, when, { align: 'right', isBold: true });
    if (visitor)
      this.#page.text(right, 57, 9.4, `Visited by ${visitor}`, { align: 'right', ink: inks.quiet, room: 200 });
  }

  #drawMap(map: VisitMap, hasNumbers: boolean): void {
    drawVisitMap(this.#page, this.#land, map, this.#report, hasNumbers);
    drawVisitFurniture(this.#page, map, this.#report);
    this.#frames.set(this.#page, map.frame);
  }

  /** Rows of the form beside the map. @returns those for which there is no room */
  #drawForm(): VisitReport['answers'] {
    const { answers } = this.#report;
    let y = mapBox.y;
    if (answers.length > 0) this.#page.line([[form.x, y, form.x + form.width, y]], { stroke: inks.frame, width: 0.9 });
    for (const [at, answer] of answers.entries()) {
      const height = this.#answerHeight(answer, form.width);
      if (y + height > form.bottom) return answers.slice(at);
      this.#drawAnswer(answer, { x: form.x, y, width: form.width, height });
      y += height;
    }
    return [];
  }

  #lines(text: string, width: number, size: number): string[] {
    return text.split(/\n+/).flatMap((line) => wrapText(line.trim(), width, (part) => this.#page.width(part, size)));
  }

  #answerHeight({ text }: VisitReport['answers'][number], width: number): number {
    return 18 + 10.6 * Math.max(1, this.#lines(text, width - 12, 8.8).length);
  }

  #drawAnswer({ label, text, is_flagged: isFlagged = false }: VisitReport['answers'][number], box: Box): void {
    const { x, y, width, height } = box;
    const page = this.#page;
    if (isFlagged) page.area([boxPath(box)], { fill: flagFill });
    if (isFlagged) page.area([boxPath({ x, y, width: 2.4, height })], { fill: flagEdge });
    const left = x + (isFlagged ? 7 : 0);
    page.text(left, y + 10.5, 7.2, label, { ink: inks.quiet, room: width - 8 });
    const lines = text.trim() === '' ? ['not noted'] : this.#lines(text, width - 12, 8.8);
    for (const [at, line] of lines.entries()) page.text(left, y + 21 + at * 10.6, 8.8, line, { room: width - 7 });
    page.line([[x, y + height, x + width, y + height]], { stroke: inks.lotLine, width: 0.35 });
  }

  #drawFormOn(answers: VisitReport['answers']): void {
    for (const answer of answers.flatMap((one) => this.#onPages(one))) {
      const height = this.#answerHeight(answer, right - margin);
      if (this.#y + height > bottom) this.#goOn('form');
      this.#drawAnswer(answer, { x: margin, y: this.#y, width: right - margin, height });
      this.#y += height;
    }
    this.#y += 12;
  }

  /** Parts of an answer that is longer than a page. */
  #onPages(answer: VisitReport['answers'][number]): VisitReport['answers'] {
    const lines = this.#lines(answer.text, right - margin - 12, 8.8);
    if (lines.length <= mostLines) return [answer];
    return Array.from({ length: Math.ceil(lines.length / mostLines) }, (_, at) => ({
      ...answer,
      label: at === 0 ? answer.label : `${answer.label}, continued`,
      text: lines.slice(at * mostLines, (at + 1) * mostLines).join('\n'),
    }));
  }

  /** All numbers on a page of its own, where the small map has no room for them. */
  #drawWholeMap(map: VisitMap): void {
    this.#goOn('where the photos were taken');
    this.#drawMap(map, true);
  }

  /** @param whole stands behind the first page */
  #drawPhotos(whole: VisitMap | null): void {
    this.#y = grid.first;
    for (const [at, photo] of this.#report.photos.entries()) {
      const column = at % grid.columns;
      if (column === 0 && this.#y + grid.step > bottom + 8) {
        if (whole && this.#pages.length === 1) this.#drawWholeMap(whole);
        this.#goOn('photos');
      }
      this.#drawPhoto(at, photo, margin + column * (cellWidth + grid.gap));
      const isLast = at === this.#report.photos.length - 1;
      if (column === grid.columns - 1 || isLast) this.#y += grid.step;
    }
    if (whole && this.#pages.length === 1) {
      this.#drawWholeMap(whole);
      this.#y = bottom;
    }
  }

  #drawPhoto(at: number, photo: VisitReport['photos'][number], x: number): void {
    const hasWord = this.#report.photo_places && !this.#onMap.has(at + 1);
    drawPhotoCell(this.#page, this.#photoOf(at), photo, {
      ...{ box: { x, y: this.#y, width: cellWidth, height: grid.picture }, number: at + 1 },
      lines: (text, width, size) => this.#lines(text, width, size),
      word: hasWord ? 'not on the map' : null,
    });
  }

  #drawFindings(): void {
    const { findings, notes } = this.#report;
    const blocks = [
      ...(findings ? [{ head: 'Findings', text: findings }] : []),
      ...(notes.length > 0 ? [{ head: 'Notes', text: notes.join('\n') }] : []),
    ];
    for (const { head, text } of blocks) {
      if (this.#y + 40 > bottom) this.#goOn('findings');
      this.#page.line([[margin, this.#y, right, this.#y]], { stroke: inks.frame, width: 0.9 });
      this.#page.text(margin, this.#y + 14, 9.4, head, { isBold: true });
      this.#y += 26;
      for (const line of this.#lines(text, right - margin, 9.2)) {
        if (this.#y > bottom) this.#goOn('findings');
        this.#page.text(margin, this.#y, 9.2, line, { room: right - margin });
        this.#y += 11.6;
      }
      this.#y += 4;
    }
  }

  /** At the foot of the page, so that there is room to sign above the line. */
  #drawSignature(): void {
    const y = letter[1] - 66;
    if (this.#y + 34 > y) this.#goOn('signature');
    for (const [label, x, end] of [
      ['Signature', margin, margin + 202],
      ['Name', margin + 220, margin + 422],
      ['Date', margin + 440, right],
    ] as const) {
      this.#page.line([[x, y, end, y]], { stroke: inks.frame, width: 0.8 });
      this.#page.text(x, y + 11, 7.4, label, { ink: inks.quiet });
    }
  }

  #drawBaseline(): void {
    this.#drawParcels();
    const { owners, mailing, parcels } = this.#report;
    const hides = { owners: !owners, mailing: !mailing };
    for (const propertyId of parcels.slice(0, mostWithAbutters)) {
      if (!shapesOf(this.#land, [propertyId]).has(propertyId)) continue;
      this.#pages.push(...adjoinerPages(this.#land, { propertyId, feet: null, madeAt: this.#madeAt, hides }));
    }
  }

  /** Acres and sources, a row for each parcel. */
  #drawParcels(): void {
    this.#goOn('parcels and sources');
    const columns = {
      apn: { head: 'APN', x: margin, room: 110 },
      owner: { head: this.#report.owners ? 'Owner' : '', x: margin + 118, room: 190 },
      acres: { head: 'Acres', x: margin + 312, room: 50, isNumber: true },
      measured: { head: 'Measured', x: margin + 366, room: 54, isNumber: true },
      source: { head: 'Source', x: margin + 430, room: 110 },
    } as const satisfies Record<string, Column>;
    this.#y += 16;
    drawHeads(this.#page, this.#y, columns);
    const acresWords = (acres: number | null): string => (acres === null ? 'unknown' : acres.toFixed(2));
    for (const parcel of this.#parcels) {
      this.#y += rowStep;
      if (this.#y > lastRow) {
        this.#goOn('parcels and sources');
        this.#y += 16;
        drawHeads(this.#page, this.#y, columns);
        this.#y += rowStep;
      }
      const source = [parcel.source_name, parcel.source_date].filter(Boolean).join(', ');
      const cells: Record<keyof typeof columns, string> = {
        apn: parcel.apn || `parcel ${parcel.property_id}`,
        owner: this.#report.owners ? parcel.owner_name || 'not published' : '',
        acres: acresWords(parcel.acres),
        measured: acresWords(parcel.calculated_acres),
        source: source || 'not published',
      };
      drawRow(this.#page, this.#y, columns, (name) => cells[name]);
      ruleOff(this.#page, this.#y);
    }
    this.#y += 22;
    const layers = chooseLayers(this.#land).sources.map(({ title, name, date }) => `${title}: ${name}, ${date}`);
    for (const text of ['“Acres” are the county’s; “Measured” is the area of the county’s outline.', ...layers])
      for (const line of this.#lines(text, right - margin, 7.4)) {
        if (this.#y > lastRow) {
          this.#goOn('parcels and sources');
          this.#y += 16;
        }
        this.#page.text(margin, this.#y, 7.4, line, { ink: inks.quiet });
        this.#y += 10;
      }
  }

  #notes(placeable: number): string[] {
    const { photos, parcels, abutters } = this.#report;
    const placeless = this.#report.photo_places ? photos.length - placeable : 0;
    const roomless = placeable - this.#onMap.size;
    const undrawn = photos.flatMap((_, at) => {
      const drawn = this.#photoOf(at);
      return 'problem' in drawn ? [`Photo ${at + 1}: ${drawn.problem}`] : [];
    });
    return [
      ...(placeless > 0
        ? [`${counted(placeless, 'photo has', 'photos have')} no place and no number on the map.`]
        : []),
      ...(roomless > 0
        ? [`${counted(roomless, 'photo', 'photos')} off the map or without room on it; the rows say so.`]
        : []),
      ...(abutters && parcels.length > mostWithAbutters
        ? [`Abutters are printed of the first ${mostWithAbutters} parcels.`]
        : []),
      ...undrawn,
    ];
  }
}
