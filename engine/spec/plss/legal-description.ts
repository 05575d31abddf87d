/**
 * Reads a legal description of the public land survey: `NE1/4 SW1/4 S12 T5N R3W`, `N½NE¼ Sec. 12, T. 5 N., R. 3 W., 6th PM`,
 * `Lots 1 & 2, Sec 4`, `12-5N-3W`. What it does not read is listed with its place: metes and bounds, exceptions, plats.
 */
import { type AliquotPart, type AliquotStep, aliquotAcres, aliquotText, sectionAcres } from './aliquot.ts';
import { legalTokens, type Token } from './legal-tokens.ts';
import { meridianOf } from './meridians.ts';

/** Land in one section, or a whole township. */
export interface LegalTract {
  /** `T5N`; null: not said. */
  readonly township: string | null;
  /** `R3W` */
  readonly range: string | null;
  /** `6th PM` */
  readonly meridian: string | null;
  /** Null: the whole township. */
  readonly section: number | null;
  /** Empty with `lots`: only these. */
  readonly parts: readonly AliquotPart[];
  /** Government lots; their acres stand on the plat of the survey alone. */
  readonly lots: readonly number[];
  /** Nominal: of a section of 640 acres. Null with lots. */
  readonly acres: number | null;
}

/** Words of the description, with their place from 0. */
interface LegalWords {
  readonly at: number;
  readonly words: string;
  /** A phrase for the user. */
  readonly why: string;
}

interface LegalDescription {
  readonly tracts: readonly LegalTract[];
  /** Words that were not read; the land may be less than the tracts, or other. */
  readonly unread: readonly LegalWords[];
  /** Words that could be read in another way. */
  readonly doubts: readonly LegalWords[];
}

const townshipSections = 36;

interface Place {
  readonly at: number;
  readonly end: number;
}

interface OpenTract {
  township: string | null;
  range: string | null;
  section: number | null;
  parts: AliquotPart[];
  lots: number[];
}

/** @returns tracts in the order of the text; none if it describes no land of the survey */
export function parseLegalDescription(text: string): LegalDescription {
  const reader = new LegalReader(text);
  for (const token of legalTokens(text)) reader.add(token);
  return reader.finish();
}

class LegalReader {
  readonly #text: string;
  readonly #tracts: OpenTract[] = [];
  readonly #unread: LegalWords[] = [];
  readonly #doubts: LegalWords[] = [];
  #meridian: string | null = null;
  #township: string | null = null;
  #range: string | null = null;
  /** Whether a township came before the first section: then it holds for the sections behind it. */
  #isTownshipFirst: boolean | null = null;
  /** First tract that still waits for the township behind it. */
  #waiting = 0;
  /** Parts and lots before their section, and where they stand. */
  #parts: AliquotPart[] = [];
  #lots: number[] = [];
  #pendingAt: Place | null = null;
  /** Steps of a part, as written: innermost first. */
  #steps: AliquotStep[] = [];
  #stepsAt: Place | null = null;
  #isAfterComma = false;
  /** Steps of the part before, in the same section. */
  #lastSteps = 0;
  /** Sections whose parts may follow; null behind parts that belong to the next section. */
  #open: OpenTract[] | null = null;
  #exceptAt: number | null = null;
  #before: Token | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  add(token: Token): void {
    if (this.#isException(token)) {
      this.#before = token;
      return;
    }
    if (token.type === 'lots') this.#leavePartOfLot();
    if (token.type === 'step') this.#step(token);
    else if (token.type !== 'of') this.#endPart();
    if (token.type === 'all') this.#addPart([], token);
    else if (token.type === 'lots') this.#addLots(token.numbers, token);
    else if (token.type === 'sections') this.#addSections(token.numbers);
    else if (token.type === 'township') this.#addTownship(token.text);
    else if (token.type === 'range') this.#addRange(token.text);
    else if (token.type === 'meridian') this.#meridian = meridianOf(token.name);
    else if (token.type === 'unread') this.#leave(token, 'not read');
    this.#before = token;
  }

  /** An exception runs to a semicolon, a township, or a comma before a section; what is excepted must not count as land. */
  #isException(token: Token): boolean {
    if (token.type === 'except') {
      this.#endPart();
      this.#exceptAt ??= token.at;
      return true;
    }
    if (this.#exceptAt === null) return false;
    const isEnd =
      (token.type === 'stop' && this.#text.charAt(token.at) === ';') ||
      token.type === 'township' ||
      (token.type === 'sections' && this.#before?.type === 'comma');
    if (!isEnd) return true;
    this.#endException(token.at);
    return token.type === 'stop';
  }

  #endException(end: number): void {
    if (this.#exceptAt === null) return;
    this.#leave({ at: this.#exceptAt, end }, 'an exception is not taken off');
    this.#exceptAt = null;
  }

  #step(token: Token & { readonly type: 'step' }): void {
    if (this.#steps.length === 0) this.#isAfterComma = this.#before?.type === 'comma';
    this.#steps.push(token.step);
    this.#stepsAt = { at: this.#stepsAt?.at ?? token.at, end: token.end };
  }

  /** "E½ of Lot 2" is neither half the section nor the whole lot: lots have no rule that divides them. */
  #leavePartOfLot(): void {
    if (this.#stepsAt === null || this.#before?.type !== 'of') return;
    this.#leave(this.#stepsAt, 'a part of a lot is not taken');
    this.#steps = [];
    this.#stepsAt = null;
  }

  #endPart(): void {
    const [place, isAfterComma] = [this.#stepsAt, this.#isAfterComma];
    if (place === null) return;
    const part = this.#steps.toReversed();
    this.#steps = [];
    this.#stepsAt = null;
    if (isAfterComma && part.length === 1 && this.#lastSteps === 1) {
      const why = 'read as a part of its own; without the comma it holds the part before it';
      this.#doubts.push({ at: place.at, words: this.#text.slice(place.at, place.end), why });
    }
    this.#lastSteps = part.length;
    this.#addPart(part, place);
  }

  #addPart(part: AliquotPart, place: Place): void {
    if (this.#open !== null) {
      for (const tract of this.#open) tract.parts.push(part);
      return;
    }
    this.#parts.push(part);
    this.#pendingAt = { at: this.#pendingAt?.at ?? place.at, end: place.end };
  }

  #addLots(numbers: readonly number[], place: Place): void {
    if (this.#open !== null) {
      for (const tract of this.#open) tract.lots.push(...numbers);
      return;
    }
    this.#lots.push(...numbers);
    this.#pendingAt = { at: this.#pendingAt?.at ?? place.at, end: place.end };
  }

  #addSections(numbers: readonly number[]): void {
    this.#isTownshipFirst ??= this.#township !== null;
    const isPartFirst = this.#parts.length > 0 || this.#lots.length > 0;
    const isOf = this.#before?.type === 'of' && this.#open !== null;
    // "Sec 12 and the NE¼ of Sec 13": the part belongs to the section behind it.
    const moved = isOf ? this.#takeLast() : { parts: [], lots: [] };
    const [parts, lots] = [
      [...this.#parts, ...moved.parts],
      [...this.#lots, ...moved.lots],
    ];
    const tracts = numbers.map((section) => ({
      ...{ township: this.#township, range: this.#range, section },
      ...{ parts: [...parts], lots: [...lots] },
    }));
    this.#tracts.push(...tracts);
    this.#parts = [];
    this.#lots = [];
    this.#pendingAt = null;
    this.#lastSteps = 0;
    this.#open = isPartFirst || isOf ? null : tracts;
  }

  #takeLast(): { parts: AliquotPart[]; lots: number[] } {
    const [first, ...others] = this.#open ?? [];
    if (first === undefined) return { parts: [], lots: [] };
    const taken = { parts: first.parts, lots: first.lots };
    for (const tract of [first, ...others]) {
      tract.parts = [];
      tract.lots = [];
    }
    return taken;
  }

  #addTownship(text: string): void {
    this.#isTownshipFirst ??= this.#tracts.length === 0;
    this.#township = text;
    this.#range = null;
    if (this.#isTownshipFirst) this.#open = null;
    if (this.#isTownshipFirst) this.#waiting = this.#tracts.length;
    for (const tract of this.#tracts.slice(this.#waiting)) tract.township = text;
  }

  #addRange(text: string): void {
    this.#range = text;
    for (const tract of this.#tracts.slice(this.#waiting)) tract.range = text;
    this.#waiting = this.#tracts.length;
  }

  #leave({ at, end }: Place, why: string): void {
    const last = this.#unread.at(-1);
    const between = last ? this.#text.slice(last.at + last.words.length, at) : null;
    if (
      last &&
      last.why === why &&
      between !== null &&
      /^[\s,.'’()-]*(?:(?:of|in|and|the)\s+)*[\s,.]*$/i.test(between)
    ) {
      this.#unread[this.#unread.length - 1] = { ...last, words: this.#text.slice(last.at, end).trim() };
      return;
    }
    const words = this.#text.slice(at, end).trim();
    if (/[\p{L}\p{N}]/u.test(words)) this.#unread.push({ at, words, why });
  }

  finish(): LegalDescription {
    this.#endPart();
    this.#endException(this.#text.length);
    const isWithoutSection = this.#parts.length > 0 || this.#lots.length > 0;
    if (isWithoutSection && this.#pendingAt !== null) this.#leave(this.#pendingAt, 'names no section');
    // Words that were not read may say what of the township is meant.
    const isTownship = this.#tracts.length === 0 && this.#unread.length === 0 && this.#township !== null;
    const tracts = isTownship
      ? [{ township: this.#township, range: this.#range, section: null, parts: [], lots: [] }]
      : this.#tracts;
    return {
      tracts: tracts.map((tract) => ({ ...tract, meridian: this.#meridian, acres: acresOf(tract) })),
      unread: this.#unread.toSorted((a, b) => a.at - b.at),
      doubts: this.#doubts,
    };
  }
}

function acresOf({ section, parts, lots }: OpenTract): number | null {
  if (section === null) return townshipSections * sectionAcres;
  if (lots.length > 0) return null;
  return parts.length === 0 ? sectionAcres : parts.reduce((sum, part) => sum + aliquotAcres(part), 0);
}

/** `NE¼SW¼, Lots 1, 2, S12 T5N R3W, 6th PM`; read again it is the same tract. */
export function tractText({ township, range, meridian, section, parts, lots }: LegalTract): string {
  const land = [
    ...parts.map(aliquotText),
    ...(lots.length > 0 ? [`Lot${lots.length > 1 ? 's' : ''} ${lots.join(', ')}`] : []),
  ];
  const place = [section === null ? null : `S${section}`, township, range].filter((word) => word !== null).join(' ');
  const name = meridian === null || meridian.includes('PM') ? meridian : `${meridian} Meridian`;
  return [...land, place, ...(name === null ? [] : [name])].join(', ');
}
