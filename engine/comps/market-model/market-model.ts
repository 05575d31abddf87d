/**
 * The model of a market: forests of trees, each trained on the comps outside its fold, so that every comp has one that
 * never saw it (docs/valuation.md, "The market model").
 */

import { distanceKilometers } from '../comp-index.ts';
import { isOwnSale } from '../own-sale.ts';
import type { ValuationParameters } from '../valuation-parameters.ts';
import { medianInPlace } from '../value-order.ts';
import type { ValueComp } from '../value-types.ts';
import { type Described, FoldView, modelColumns, nearColumn } from './fold-view.ts';
import { type Forest, predict } from './forest.ts';
import { growForest } from './grow-forest.ts';
import { type Lot, MarketRows, marketCompsOf } from './market-rows.ts';
import { byCount, modelParameters } from './model-parameters.ts';
import type { NearRows } from './point-tree.ts';
import { hashOf } from './whole-random.ts';

/** A forest's answer for a lot: ln(price per acre), and what each column did to it. */
export interface Prediction {
  readonly logPrice: number;
  readonly byColumn: Float64Array;
  /** ln h; NaN if it sees no neighbour. */
  readonly logNear: number;
}

export interface ModelSubject extends Lot {
  readonly propertyId: number | null;
  readonly date: number | null;
  readonly use: string | null;
}

/** No place within it is farther than the reach of `isOwnSale`, whatever the plane. */
const ownSearchKilometers = 0.2;

/** The forests of one draw of folds. */
class FoldedModel {
  /** By row. */
  readonly folds: Uint8Array;
  readonly forests: readonly Forest[];
  readonly #market: MarketRows;
  readonly #views: readonly FoldView[];

  private constructor(market: MarketRows, folds: Uint8Array, views: readonly FoldView[], forests: readonly Forest[]) {
    this.#market = market;
    this.folds = folds;
    this.#views = views;
    this.forests = forests;
  }

  static #viewsOf(market: MarketRows, repeat: number): { folds: Uint8Array; views: FoldView[] } {
    const folds = Uint8Array.from(market.keys, (key) => hashOf(`${repeat}:${key}`) % modelParameters.folds);
    const views = Array.from({ length: modelParameters.folds }, (_, fold) => new FoldView(market, folds, fold));
    return { folds, views };
  }

  static train(market: MarketRows, repeat: number): FoldedModel {
    const { folds, views } = FoldedModel.#viewsOf(market, repeat);
    const tables = views.map((view) => new TrainingTable(market, view));
    for (let row = 0; row < market.count; row++) {
      const near = market.neighboursOf(row);
      for (const table of tables) table.add(row, near);
    }
    const forests = tables.map((table, fold) =>
      growForest(table.rows(), 1 + fold + modelParameters.folds * repeat, market.count),
    );
    return new FoldedModel(market, folds, views, forests);
  }

  /** The forests as they were trained, with all else rebuilt from the comps. */
  static restore(market: MarketRows, repeat: number, forests: readonly Forest[]): FoldedModel {
    const { folds, views } = FoldedModel.#viewsOf(market, repeat);
    return new FoldedModel(market, folds, views, forests);
  }

  predict(fold: number, described: Described, near: NearRows): Prediction {
    const view = this.#views[fold] as FoldView;
    const columns = new Float64Array(modelColumns.length);
    view.describe(described, near, columns);
    const byColumn = new Float64Array(modelColumns.length);
    const logPrice = predict(this.forests[fold] as Forest, columns, byColumn) + view.center;
    return { logPrice, byColumn, logNear: columns[nearColumn] as number };
  }

  predictRow(fold: number, row: number): Prediction {
    return this.predict(fold, describedRow(this.#market, row), this.#market.neighboursOf(row));
  }

  /** ln h of a row as the forest sees it that never saw the row. */
  logNearAt(row: number): number {
    const columns = new Float64Array(modelColumns.length);
    const view = this.#views[this.folds[row] as number] as FoldView;
    view.describe(describedRow(this.#market, row), this.#market.neighboursOf(row), columns);
    return columns[nearColumn] as number;
  }
}

function describedRow(market: MarketRows, row: number): Described {
  const { date = null, use = null } = market.comps[row] ?? {};
  return { spot: market.spotAt(row), date, use };
}

/** The rows that a forest is trained on. */
class TrainingTable {
  readonly #market: MarketRows;
  readonly #view: FoldView;
  readonly #rows: number[] = [];
  readonly #columns: readonly number[][] = modelColumns.map(() => []);
  readonly #described = new Float64Array(modelColumns.length);

  constructor(market: MarketRows, view: FoldView) {
    this.#market = market;
    this.#view = view;
  }

  add(row: number, near: NearRows): void {
    if (!this.#view.sees(row)) return;
    this.#view.describe(describedRow(this.#market, row), near, this.#described);
    this.#rows.push(row);
    for (const [i, column] of this.#columns.entries()) column.push(this.#described[i] as number);
  }

  rows() {
    return {
      columns: this.#columns.map((column) => Float64Array.from(column)),
      targets: Float64Array.from(this.#rows, (row) => this.#view.targetAt(row)),
      weights: Uint8Array.from(this.#rows, (row) => this.#market.weights[row] as number),
    };
  }
}

/** What training adds to the comps. */
export interface TrainedForests {
  /** By repeat, then fold. */
  readonly repeats: readonly (readonly Forest[])[];
  readonly middleLogNear: number;
}

/** A subject as each forest sees it. */
export interface SeenSubject {
  /** By fold. */
  readonly predictions: readonly Prediction[];
  /** The folds whose forests saw no sale or listing of the subject; empty if its own lie in several. */
  readonly cleanFolds: readonly number[];
}

/** The forests of a market: of one draw of folds, or of several where comps are few. */
export class MarketModel {
  readonly rows: MarketRows;
  readonly repeats: readonly FoldedModel[];
  /** ln h in the middle of the market. */
  readonly middleLogNear: number;

  private constructor(rows: MarketRows, repeats: readonly FoldedModel[], middleLogNear: number) {
    this.rows = rows;
    this.repeats = repeats;
    this.middleLogNear = middleLogNear;
  }

  /** Null: too few priced comps. */
  static train(comps: Iterable<ValueComp>): MarketModel | null {
    const priced = marketCompsOf(comps);
    if (priced.length < modelParameters.minComps) return null;
    const rows = new MarketRows(priced);
    const first = FoldedModel.train(rows, 0);
    const repeats = [first];
    while (repeats.length < byCount(modelParameters.repeats, rows.count))
      repeats.push(FoldedModel.train(rows, repeats.length));
    const logNears = Float64Array.from(rows.comps.keys(), (row) => first.logNearAt(row));
    return new MarketModel(rows, repeats, medianInPlace(logNears.filter((near) => !Number.isNaN(near))));
  }

  /** The forests as they were trained; all else is rebuilt from the comps. */
  static restore(comps: Iterable<ValueComp>, { repeats, middleLogNear }: TrainedForests): MarketModel {
    const rows = new MarketRows(marketCompsOf(comps));
    return new MarketModel(
      rows,
      repeats.map((forests, repeat) => FoldedModel.restore(rows, repeat, forests)),
      middleLogNear,
    );
  }

  get trained(): TrainedForests {
    return { repeats: this.repeats.map(({ forests }) => forests), middleLogNear: this.middleLogNear };
  }

  /** Whether a row may be later than a day: an undated one may. */
  hasSeenAfter(day: number): boolean {
    return this.rows.comps.some(({ date }) => date === null || date > day);
  }

  /** By repeat. */
  see(subject: ModelSubject, parameters: ValuationParameters): SeenSubject[] {
    const spot = this.rows.spotOf(subject);
    const own = this.#ownRows(subject, parameters);
    const described = { spot, date: subject.date, use: subject.use };
    const near = this.rows.nearestTo(spot, own);
    return this.repeats.map((model) => {
      const predictions = model.forests.map((_, fold) => model.predict(fold, described, near));
      const ownFolds = [...new Set([...own].map((row) => model.folds[row] as number))];
      const cleanFolds = ownFolds.length === 0 ? [...predictions.keys()] : ownFolds.length === 1 ? ownFolds : [];
      return { predictions, cleanFolds };
    });
  }

  #ownRows(subject: ModelSubject, parameters: ValuationParameters): Set<number> {
    const about = this.rows.rowsAbout(subject.propertyId, this.rows.spotOf(subject), ownSearchKilometers);
    return new Set(
      [...about].filter((row) => {
        const comp = this.rows.comps[row] as (typeof this.rows.comps)[number];
        const { longitude, latitude } = subject;
        return isOwnSale(
          subject,
          comp,
          distanceKilometers(longitude, latitude, comp.longitude, comp.latitude),
          parameters,
        );
      }),
    );
  }
}
