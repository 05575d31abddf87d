/**
 * `node test/bench/import-beside.ts`: 1,000,000 generated parcels as newline GeoJSON and as Shapefile, each by ogr2ogr into
 * SpatiaLite, by our import in one thread and in as many as there are processors, and as a job of a host that answers about
 * another county meanwhile. Takes a quarter of an hour and 8 GB; `--parcels` and `--standing` make it smaller, `--keep DIR`
 * keeps the files that are read, `--json FILE` writes every figure.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tableText } from '../../engine/cli/output.ts';
import { openEngine } from '../../engine/engine.ts';
import type { ImportReport } from '../../engine/importing/stage/import-report.ts';
import { type Answered, answerWhile, askersOf, everyAnswer } from './answers-beside.ts';
import { Cleanup } from './cleanup.ts';
import { benchFips, type GeneratedCounty, writeGeneratedCounty } from './generated-county.ts';
import { type ApartResult, importApart } from './import-apart.ts';
import { generatorHash } from './loading.ts';
import { convertToSpatialite, countRows, makeShapefile, missingOgr2ogr } from './ogr2ogr.ts';
import { megabytes, milliseconds, whole } from './statistics.ts';
import { targets } from './targets.ts';

const seed = 20_261_120;

const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '1000000' },
    /** The county's, in the queries. */
    standing: { type: 'string', default: '100000' },
    /** Before the import, for comparison. */
    turns: { type: 'string', default: '300' },
    keep: { type: 'string' },
    json: { type: 'string' },
  },
});
const [parcels, standing, turns] = [Number(values.parcels), Number(values.standing), Number(values.turns)];

interface Format {
  readonly name: string;
  readonly file: string;
  readonly rows: number;
  /** Names of its columns, if they differ from the dictionary's. */
  readonly mapping: string | null;
}

/** Contents of the folder of --keep. */
interface Made {
  readonly parcels: number;
  readonly standing: number;
  readonly generator: string;
  readonly county: GeneratedCounty;
  readonly other: GeneratedCounty;
  readonly formats: readonly Format[];
}

const note = (text: string): void => console.error(text);

/** Enough for the first line and for a table's header; the whole would count as memory of the processes started later. */
function headOf(file: string): Buffer {
  const head = Buffer.alloc(65_536);
  const descriptor = fs.openSync(file, 'r');
  const length = fs.readSync(descriptor, head, 0, head.length, 0);
  fs.closeSync(descriptor);
  return head.subarray(0, length);
}

/** Names of the columns, of 32 bytes each after a head of 32: ten letters and a NUL. */
function dbfColumns(file: string): string[] {
  const head = headOf(file);
  const names: string[] = [];
  for (let at = 32; at < head.length && head[at] !== 0x0d; at += 32) {
    names.push(head.toString('latin1', at, at + 11).replace(/\0.*$/s, ''));
  }
  return names;
}

/** A Shapefile cuts names to ten letters: position identifies them. */
function mappingOf(lines: string, table: string): object {
  const [line = ''] = headOf(lines).toString('utf8').split('\n', 1);
  const { properties } = JSON.parse(line) as { properties: Record<string, unknown> };
  const names = Object.keys(properties).filter((name) => !Array.isArray(properties[name]));
  const found = dbfColumns(table);
  if (found.length !== names.length) {
    throw new Error(`Expected ${names.length} columns in ${table}, found ${found.length}.`);
  }
  return { name: 'bench', columns: Object.fromEntries(names.map((name, i) => [name, found[i]])) };
}

function make(folder: string): Made {
  const kept = path.join(folder, 'made.json');
  const generator = generatorHash();
  if (fs.existsSync(kept)) {
    const made = JSON.parse(fs.readFileSync(kept, 'utf8')) as Made;
    if (made.parcels === parcels && made.standing === standing && made.generator === generator) return made;
    throw new RangeError(
      `${folder} holds other data (${made.parcels} and ${made.standing} parcels, ${made.generator}).`,
    );
  }
  note(`generating ${parcels} and ${standing} parcels`);
  // Around the county whose code they have: a job refuses parcels that lie elsewhere.
  const around = { fips: benchFips, number: 0, west: -100, south: 38.8 };
  const county = writeGeneratedCounty(path.join(folder, 'county.ndjson'), parcels, seed, around);
  const place = { fips: '20187', number: 1, west: -102, south: 37 };
  const other = writeGeneratedCounty(path.join(folder, 'other.ndjson'), standing, seed, place);
  note('making the Shapefile');
  const shapes = path.join(folder, 'county.shp');
  makeShapefile(county.file, shapes);
  const mapping = path.join(folder, 'mapping.json');
  fs.writeFileSync(mapping, JSON.stringify(mappingOf(county.file, path.join(folder, 'county.dbf'))));
  const formats: Format[] = [
    { name: 'newline GeoJSON', file: county.file, rows: parcels, mapping: null },
    { name: 'Shapefile', file: shapes, rows: countRows(shapes), mapping },
  ];
  const made = { parcels, standing, generator, county, other, formats };
  // Last: a folder without it was not finished.
  fs.writeFileSync(kept, JSON.stringify(made, null, 2));
  return made;
}

interface Beside {
  readonly before: Answered;
  readonly during: Answered;
  /** The job's seconds, from its start until its process has ended. */
  readonly seconds: number;
  readonly rows: number;
}

interface FormatRun {
  readonly format: Format;
  readonly converted: { readonly seconds: number; readonly rows: number };
  readonly imported: ApartResult;
  readonly beside: Beside;
}

/** As in the app: the same engine starts the job and answers. */
async function importBeside(home: string, { other, county }: Made, format: Format): Promise<Beside> {
  const engine = openEngine({ home, create: true });
  try {
    const askers = askersOf(engine, other.fips, other.parcels);
    await answerWhile(askers, (turn) => turn < 10);
    const before = await answerWhile(askers, (turn) => turn < turns);
    const began = performance.now();
    const { job_id: id } = engine.jobs.start('import_parcels', {
      files: [format.file],
      county: county.fips,
      anywhere: true,
      source: 'bench',
      date: '2026-11-20',
      ...(format.mapping === null
        ? {}
        : { mapping: JSON.parse(fs.readFileSync(format.mapping, 'utf8')) as Record<string, unknown> }),
    });
    let seconds = 0;
    const finished = engine.jobs.finished(id).then((status) => {
      seconds = (performance.now() - began) / 1000;
      return status;
    });
    const during = await answerWhile(askers, () => engine.jobs.get(id).state === 'running');
    const { error, report } = await finished;
    if (error) throw new Error(`the import beside answers: ${error.message}`);
    const counted = [other, county].map(
      ({ fips }) => engine.land.file.get<{ n: number }>('SELECT count(*) AS n FROM parcels WHERE fips = ?', fips)?.n,
    );
    if (counted.join() !== [other.parcels, format.rows].join()) {
      throw new Error(
        `Expected ${other.parcels} and ${format.rows} parcels in the home, found ${counted.join(' and ')}.`,
      );
    }
    return { before, during, seconds, rows: (report as ImportReport).new };
  } finally {
    engine.close();
  }
}

async function runFormat(folder: string, made: Made, format: Format): Promise<FormatRun> {
  note(`${format.name}: ogr2ogr`);
  const spatialite = path.join(folder, 'ogr2ogr.sqlite');
  const { seconds } = convertToSpatialite(format.file, spatialite);
  const converted = { seconds, rows: countRows(spatialite) };
  fs.rmSync(spatialite);
  const [home, apart] = [path.join(folder, 'home'), { parcels: format.rows }];
  const mapping = format.mapping === null ? {} : { mapping: format.mapping };
  note(`${format.name}: importing`);
  fs.rmSync(home, { recursive: true, force: true });
  const files = [`${made.county.fips}=${format.file}`];
  const imported = await importApart({ home, files, ...apart, ...mapping });
  note(`${format.name}: importing beside answers`);
  fs.rmSync(home, { recursive: true, force: true });
  const { other } = made;
  await importApart({ home, files: [`${other.fips}=${other.file}`], parcels: other.parcels });
  const beside = await importBeside(home, made, format);
  fs.rmSync(home, { recursive: true });
  return { format, converted, imported, beside };
}

interface Target {
  readonly what: string;
  readonly isMet: boolean;
  /** A promise of docs/reliability.md, missed by the import and not by a busy machine or a small file. */
  readonly isBroken: boolean;
}

interface Line {
  readonly what: string;
  readonly figure: string;
  readonly targets: readonly Target[];
}

const lineOf = (what: string, figure: string, ...of: Target[]): Line => ({ what, figure, targets: of });

const targetOf = (what: string, isMet: boolean, isPromised: boolean): Target => ({
  ...{ what, isMet },
  isBroken: isPromised && !isMet,
});

const targetText = ({ what, isMet }: Target): string => `${what}: ${isMet ? 'met' : 'MISSED'}`;

/** With a small file the start of the process takes most of the time. */
const hasFullSize = parcels >= 1_000_000;

function importLines({ format, converted, imported }: FormatRun): Line[] {
  const theirs = converted.rows / converted.seconds;
  const { importRatio: least, importSecondsAMillion: most, importResidentBytes: bytes } = targets;
  const { rows, seconds, cpuMicroseconds, peakBytes } = imported;
  const faster = rows / seconds / theirs;
  const cpu = cpuMicroseconds / rows;
  return [
    lineOf(
      `${format.name}: ogr2ogr into SpatiaLite`,
      `${whole(converted.rows)} rows, ${converted.seconds.toFixed(1)} s, ${whole(theirs)} rows/s`,
    ),
    lineOf(
      `${format.name}: our import`,
      `${whole(rows)} rows, ${seconds.toFixed(1)} s, ${whole(rows / seconds)} rows/s, ${faster.toFixed(1)}× ogr2ogr’s, ${cpu.toFixed(0)} µs of CPU a row, peak ${megabytes(peakBytes)}`,
      targetOf(`≥ ${least}×`, faster >= least, false),
      // What the processor does in time is late by others’ work.
      targetOf(`≤ ${most} s a million`, seconds <= (most * rows) / 1e6, hasFullSize && cpu > most),
      targetOf(`≤ ${megabytes(bytes)}`, peakBytes <= bytes, true),
    ),
  ];
}

/** A timer may come on time, and no ratio to zero exists. */
const ratio = (a: number, b: number): string => (b > 0 ? `${(a / b).toFixed(1)}×` : '–');

function besideLines({ format, beside }: FormatRun): Line[] {
  const { before, during, seconds, rows } = beside;
  const { answersASecond, p99Milliseconds, mostMilliseconds, rowsASecond } = targets.beside;
  const rate = rows / seconds;
  const head = `${format.name}, beside`;
  // A machine that is too slow before the import says nothing of it.
  const isCalm = before.answersASecond >= answersASecond;
  return [
    lineOf(
      `${head}: the import`,
      `${whole(rows)} rows, ${seconds.toFixed(1)} s, ${whole(rate)} rows/s`,
      targetOf(`≥ ${whole(rowsASecond)} rows/s`, rate >= rowsASecond, hasFullSize && isCalm),
    ),
    lineOf(
      `${head}: answers a second, without the pauses`,
      `${whole(during.answersASecond)}, before ${whole(before.answersASecond)}; ${whole(during.turns)} turns`,
      targetOf(`≥ ${answersASecond}`, during.answersASecond >= answersASecond, isCalm),
    ),
    ...Object.entries(during.spreads).map(([kind, { p50, p95, p99, max }]): Line => {
      const then = before.spreads[kind] ?? { p50: Number.NaN, p95: Number.NaN, max: Number.NaN };
      const three = (spread: { p50: number; p95: number; max: number }) =>
        `${milliseconds(spread.p50)}, ${milliseconds(spread.p95)}, ${milliseconds(spread.max)}`;
      return lineOf(
        `${head}: ${kind}`,
        `p50, p95, max ${three({ p50, p95, max })} ms; before ${three(then)}; ${ratio(p50, then.p50)}, ${ratio(p95, then.p95)}, ${ratio(max, then.max)}${kind === everyAnswer ? `; p99 ${milliseconds(p99)} ms` : ''}`,
        targetOf(`p99 ≤ ${p99Milliseconds} ms`, p99 <= p99Milliseconds, isCalm),
        targetOf(`max ≤ ${mostMilliseconds} ms`, max <= mostMilliseconds, isCalm),
      );
    }),
  ];
}

const loadText = (): string =>
  os
    .loadavg()
    .map((load) => load.toFixed(1))
    .join(', ');

async function main(): Promise<void> {
  const missing = missingOgr2ogr();
  if (missing !== null) throw new Error(`missing ${missing}`);
  const folder = values.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-import-beside-'));
  const cleanup = new Cleanup();
  if (values.keep === undefined) cleanup.add(() => fs.rmSync(folder, { recursive: true, force: true }));
  fs.mkdirSync(folder, { recursive: true });
  const made = make(folder);
  const loadBefore = loadText();
  const runs: FormatRun[] = [];
  for (const format of made.formats) runs.push(await runFormat(folder, made, format));
  const load = `${loadBefore} before, ${loadText()} after, of ${os.availableParallelism()} processors`;
  const lines: Line[] = [
    lineOf('parcels, and of the county that is asked about', `${whole(parcels)}, ${whole(standing)}`),
    lineOf('load of the machine', load),
    ...runs.flatMap((run) => [...importLines(run), ...besideLines(run)]),
  ];
  console.log(
    tableText(
      ['what', 'figure', 'target'],
      lines.map(({ what, figure, targets: all }) => ({ what, figure, target: all.map(targetText).join('; ') })),
    ),
  );
  if (values.json !== undefined) fs.writeFileSync(values.json, JSON.stringify({ load, lines, runs }, null, 2));
  cleanup.run();
}

await main();
