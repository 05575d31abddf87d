/**
 * Imports a file of many counties: a column names each parcel's county, and each county becomes a dataset of its own.
 * The file is read once; one transaction for all counties, or nothing.
 */
import { EngineError } from '../../spec/errors.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import type { LandStore } from '../../store/land-store.ts';
import { type ImportOptions, type ImportPlan, progressOf, sourceWords } from '../stage/import-options.ts';
import {
  countRefused,
  type ImportReport,
  newReadingLog,
  type ReadingLog,
  readingCountsOf,
} from '../stage/import-report.ts';
import type { JoinedTables } from '../stage/joined-tables.ts';
import { RowTotal } from '../stage/row-total.ts';
import { estimateSpace, expectSpace, type SpaceEstimate } from '../stage/space-check.ts';
import { FeatureStager, type PlacedFeature } from '../stage/stage-features.ts';
import { featuresOf, joinedTables, progressRows } from '../stage/stage-files.ts';
import { StagingFile, StagingWriter } from '../stage/staged-parcels.ts';
import { textOf } from '../values/convert-value.ts';
import { compareStaged, homeOf, mergeStaged, type StagedImport } from './import-parcels.ts';
import { pruneUndo } from './prune-undo.ts';
import { expectAny, expectParcels, expectTables, settleImport } from './settle-import.ts';

export interface StatewideOptions extends Omit<ImportOptions, 'fips'> {
  /** The column of the parcel file that names the county: by FIPS code, by its last three digits, or by name. */
  readonly countyColumn: string;
  /** Two letters; needed if the column lacks whole FIPS codes. */
  readonly state?: string;
}

export interface StatewideReport {
  readonly features_read: number;
  /** Rows whose county is unknown. */
  readonly unplaced: ReadingLog['refused'];
  /** One for each county, by FIPS code. */
  readonly counties: ImportReport[];
  readonly seconds: number;
}

/** The largest state has fewer counties: more values than this are something else. */
const maxCounties = 300;
/** A few rows under a wrong county do not stop a state: the report names them. */
const fewestToRefuse = 20;

/** @throws EngineError like `importParcels`; nothing was changed then */
export async function importStatewide(land: LandStore, options: StatewideOptions): Promise<StatewideReport> {
  return withCounties(land, options, (counties, reportOf) => {
    const report = land.file.transaction(() => {
      const reports = counties.map(({ fips, take, staged }) => {
        take();
        return mergeStaged(land, { ...options, fips }, staged);
      });
      const made = reportOf(reports);
      if (reports.some(({ import_id: id }) => id !== null)) options.onCommitting?.(made);
      return made;
    });
    options.onCommitted?.(report);
    for (const county of report.counties) pruneUndo(land, homeOf(land), county);
    return report;
  });
}

export interface StatewidePlanReport extends StatewideReport {
  readonly space: SpaceEstimate;
}

/** The dry run: changes nothing. @throws EngineError like the import */
export async function planStatewide(land: LandStore, options: StatewideOptions): Promise<StatewidePlanReport> {
  const plan = withCounties(land, options, (counties, reportOf) =>
    reportOf(
      land.file.snapshot(() =>
        counties.map(({ fips, take, staged }) => {
          take();
          const { parcels, report } = compareStaged(land, { ...options, fips }, staged);
          parcels.drop();
          return report;
        }),
      ),
    ),
  );
  return { ...plan, space: estimateSpace(land, homeOf(land), { ...options, fips: '' }) };
}

interface StagedCounty {
  readonly fips: string;
  /** Call it before comparing with the home. */
  readonly take: () => void;
  readonly staged: StagedImport;
}

function withCounties(
  land: LandStore,
  options: StatewideOptions,
  work: (counties: readonly StagedCounty[], reportOf: (counties: ImportReport[]) => StatewideReport) => StatewideReport,
): StatewideReport {
  const started = options.now();
  expectSpace(land, homeOf(land), { ...options, fips: '' });
  const staging = new StagingFile(land.file);
  try {
    const reading = new StatewideReading(land, staging, options);
    land.file.snapshot(() => reading.readAll());
    const counties = reading.counties.map(({ fips, plan, log, stager, finish }) => ({
      fips,
      take: () => staging.takeCounty(fips, stager.situsZips),
      staged: { plan, counts: readingCountsOf(log), mapping: finish(), started, staging },
    }));
    const { features_read, refused: unplaced } = reading.log;
    return work(counties, (reports) => ({
      features_read,
      unplaced,
      counties: reports,
      seconds: (options.now().getTime() - started.getTime()) / 1000,
    }));
  } finally {
    staging.close();
  }
}

interface CountyReading {
  readonly fips: string;
  readonly plan: ImportPlan;
  readonly log: ReadingLog;
  readonly stager: FeatureStager;
  readonly finish: () => StagedImport['mapping'];
}

class StatewideReading {
  /** For the whole file. */
  readonly log: ReadingLog;
  readonly #land: LandStore;
  readonly #staging: StagingFile;
  readonly #options: StatewideOptions;
  readonly #byFips = new Map<string, CountyReading>();
  readonly #countiesOf: (value: string) => readonly County[];
  #joined: JoinedTables | null = null;
  #column: string | null = null;
  /** Columns of the first feature, for refusals. */
  #names: readonly string[] = [];

  constructor(land: LandStore, staging: StagingFile, options: StatewideOptions) {
    this.#land = land;
    this.#staging = staging;
    this.#options = options;
    this.log = newReadingLog(options.onProblem);
    this.#countiesOf = countyFinder(land, options.state);
  }

  get counties(): CountyReading[] {
    return [...this.#byFips.values()].sort((a, b) => a.fips.localeCompare(b.fips));
  }

  readAll(): void {
    const options: ImportOptions = { ...this.#options, fips: '' };
    const total = new RowTotal(options);
    const progress = progressOf(options, 'reading parcels', () => total.rows);
    for (const { name, feature } of featuresOf(options, total)) {
      this.log.features_read++;
      this.#add(name, feature);
      if (this.log.features_read % progressRows === 0) progress(this.log.features_read);
    }
    progress(this.log.features_read);
    this.#expectCounties();
    this.#joined?.finish(this.log);
    expectTables(this.log, this.#options);
    for (const { fips, stager, plan, log } of this.counties) {
      const { leaves, filled } = stager.finish();
      Object.assign(log, filled);
      this.#staging.addCounty(leaves, fips);
      expectParcels(log, this.#options);
      stager.places.expectUnitedStates(plan.fips, sourceWords(this.#options));
      if (!this.#options.anywhere) {
        stager.places.expectCounty(plan.fips, sourceWords(this.#options), fewestToRefuse);
        stager.places.expectFewStrays(`${plan.fips} in ${sourceWords(this.#options)}`);
      }
      log.other_county = stager.places.otherCounty(plan.fips);
    }
    this.#staging.finish();
  }

  #add(name: string, feature: PlacedFeature): void {
    const value = textOf(feature.properties[this.#columnIn(feature)]);
    const counties = value === null ? [] : this.#countiesOf(value);
    const [county] = counties;
    if (county === undefined || counties.length > 1) {
      const found = value === null ? 'nothing' : JSON.stringify(value);
      countRefused(
        this.log,
        name,
        feature.position,
        `Expected a county in ${this.#options.countyColumn}, found ${found}.${sharedName(counties)}`,
      );
      return;
    }
    (this.#byFips.get(county.fips) ?? this.#begin(county.fips)).stager.add(name, feature);
  }

  /** In any case; in the spelling of the first feature that has it. */
  #columnIn({ properties }: PlacedFeature): string {
    const { countyColumn } = this.#options;
    if (this.#column === null || !Object.hasOwn(properties, this.#column)) {
      const folded = countyColumn.toLowerCase();
      if (this.#names.length === 0) this.#names = Object.keys(properties);
      this.#column = Object.keys(properties).find((name) => name.toLowerCase() === folded) ?? this.#column;
    }
    return this.#column ?? countyColumn;
  }

  #begin(fips: string): CountyReading {
    if (this.#byFips.size >= maxCounties) {
      throw new EngineError(
        'import_refused',
        `The column ${this.#options.countyColumn} names more than ${maxCounties} counties; it is not a column of counties.`,
      );
    }
    const options: ImportOptions = { ...this.#options, fips };
    const plan = settleImport(this.#land, options);
    if (plan.accounts !== 'left-out' && plan.tables.length > 0) {
      throw new EngineError(
        'import_refused',
        'The rows of a joined table name no county, so the county of an account without a shape is unknown. Leave such accounts out (--accounts left-out), or import one county at a time.',
      );
    }
    const log = newReadingLog(this.#options.onProblem);
    this.#joined ??= joinedTables(this.#land.file, plan, options, this.log);
    const writer = new StagingWriter(this.#staging.space, true);
    const stager = new FeatureStager(plan, log, writer, this.#joined);
    const county = { fips, plan, log, stager, finish: () => plan.mapper.finish() };
    this.#byFips.set(fips, county);
    return county;
  }

  #expectCounties(): void {
    const { features_read: read, refused } = this.log;
    expectAny(this.#options, read);
    if (refused.count < read) return;
    if (this.#column === null) {
      const { countyColumn } = this.#options;
      const names = this.#names.slice(0, 40).join(', ');
      throw new EngineError(
        'import_refused',
        `${sourceWords(this.#options)}: expected a column ${countyColumn} that names the county, found ${names || 'no columns'}.`,
      );
    }
    const advice =
      this.#options.state === undefined ? ' If the column has names or three digits, give the state (--state).' : '';
    throw new EngineError(
      'import_refused',
      `None of the ${read} features of ${sourceWords(this.#options)} names a county. The first, row ${refused.first[0]?.row}: ${refused.first[0]?.reason}${advice}`,
    );
  }
}

interface County {
  readonly fips: string;
  readonly name: string;
  readonly state: string;
}

/** Advice if several counties share the name; else empty. */
function sharedName(counties: readonly County[]): string {
  if (counties.length < 2) return '';
  if (new Set(counties.map(({ state }) => state)).size > 1)
    return ' Counties of several states have this name: give the state (--state).';
  const names = counties.map(({ name, fips }) => `${name} (${fips})`).join(' and ');
  return ` ${names} have this name: the column must hold codes or whole names.`;
}

/** Finds `33019`, `019` or `19` with a state, `Sullivan` or `SULLIVAN COUNTY`; several if counties share the name. */
function countyFinder({ file }: LandStore, state: string | undefined): (value: string) => readonly County[] {
  const rows = file.all<County>(
    'SELECT fips, name, state FROM counties WHERE (:state IS NULL OR state = :state) AND superseded_by IS NULL ORDER BY fips',
    { state: state?.toUpperCase() ?? null },
  );
  const known = new Map<string, Set<County>>();
  for (const county of rows) {
    const { fips, name } = county;
    const add = (key: string) => known.set(key, (known.get(key) ?? new Set()).add(county));
    add(fips);
    add(String(Number(fips)));
    if (state !== undefined) {
      add(fips.slice(2));
      add(String(Number(fips.slice(2))));
    }
    add(foldSpaces(name));
    add(foldSpaces(name.replace(/ (County|Parish|Borough|Census Area|Municipality|city)$/i, '')));
  }
  return (value) => {
    const found = known.get(foldSpaces(value)) ?? known.get(foldSpaces(value.replace(/\.0+$/, '')));
    return [...(found ?? [])];
  };
}
