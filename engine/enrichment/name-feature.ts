/** Reads the name of a feature (of a road, a stream, a summit) from the columns of its file. */
import { textOf } from '../importing/values/convert-value.ts';
import { EngineError } from '../spec/errors.ts';
import type { LayerKind } from '../spec/layer-titles.ts';
import { foldSpaces } from '../spec/text-fold.ts';

type Properties = Readonly<Record<string, unknown>>;

const drawnNames = [
  ...['NAME', 'FULLNAME', 'GNIS_NAME', 'FEATURE_NAME', 'UNIT_NM', 'UNIT_NAME', 'FORESTNAME', 'LOC_NM', 'LABEL'],
  ...['FULL_NAME', 'NAMELSAD', 'TITLE'],
];

/** Column names that publishers use, best first. */
const usualColumns: { readonly [Kind in LayerKind]?: readonly string[] } = {
  roads: [
    ...['FULLNAME', 'NAME', 'ROAD_NAME', 'ROADNAME', 'RD_NAME', 'STREET_NAME', 'STREETNAME', 'ST_NAME', 'STREET'],
    ...['FULL_NAME', 'FULLSTREET', 'LABEL', 'REF'],
  ],
  water: drawnNames,
  other: drawnNames,
};

export class FeatureNamer {
  readonly #wanted: readonly string[];
  readonly #isNamed: boolean;
  #column: string | null = null;

  /** @param named the column that the user gave: then no other is tried, and a file without it is refused */
  constructor(kind: LayerKind, named: string | null) {
    this.#isNamed = named !== null;
    this.#wanted = named === null ? (usualColumns[kind] ?? []) : [named];
  }

  /** The column that names are read from; null: none was found. */
  get column(): string | null {
    return this.#column;
  }

  /** Null without a name. */
  nameOf(properties: Properties): string | null {
    if (this.#wanted.length === 0) return null;
    if (this.#column === null) {
      const columns = new Map(Object.keys(properties).map((name) => [foldSpaces(name), name]));
      const found = this.#wanted.map((name) => columns.get(foldSpaces(name))).filter((name) => name !== undefined);
      this.#column = found.find((name) => textOf(properties[name]) !== null) ?? null;
      this.#hasSeen ||= found.length > 0;
    }
    return this.#column === null ? null : textOf(properties[this.#column]);
  }

  #hasSeen = false;

  /** @throws EngineError import_refused if no feature had the column that the user named */
  finish(file: string, columns: readonly string[]): void {
    if (!this.#isNamed || this.#hasSeen) return;
    throw new EngineError(
      'import_refused',
      `${file}: expected a column ${this.#wanted.join(', ')} with names; found ${columns.join(', ') || 'no columns'}.`,
    );
  }
}
