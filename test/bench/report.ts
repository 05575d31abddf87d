/** The figures of a run as tables for people. */
import { tableText } from '../../engine/cli/output.ts';
import type { QuestionFigures } from './ask-engines.ts';
import type { BenchRun } from './bench-run.ts';
import type { ColdFigures } from './cold-figures.ts';
import { peers } from './engines/index.ts';
import type { Figure } from './figures.ts';
import { megabytes, milliseconds, whole } from './statistics.ts';
import { countTarget, ratioTarget, targets } from './targets.ts';

const verdict = (isMet: boolean): string => (isMet ? 'met' : 'missed');
const times = (ratio: number): string => `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(ratio < 1 ? 2 : 1)}×`;

function peerCells(figure: QuestionFigures, run: BenchRun): Record<string, string> {
  const ours = figure.times.Platbook?.median ?? Number.NaN;
  const cells: Record<string, string> = {};
  for (const { name, cannot } of peers) {
    const theirs = figure.times[name]?.median;
    if (theirs === undefined) {
      cells[name] = run.missing[name] ? 'missing' : cannot[figure.id] ? 'no exact test' : 'left out';
      continue;
    }
    const target = ratioTarget(name, figure.id);
    cells[name] = milliseconds(theirs);
    cells[`÷ ${name}`] = `${times(theirs / ours)} (${target}: ${verdict(theirs / ours >= target)})`;
  }
  return cells;
}

/** Medians of count and page, and how many times as long the others take, with the target and whether it is met. */
export function questionTable(run: BenchRun): string {
  const columns = peers.flatMap(({ name }) => [name, `÷ ${name}`]);
  return tableText(
    ['question', 'matches', 'Platbook', ...columns],
    run.questions.map((figure) => ({
      question: `${figure.id} ${figure.title}`,
      matches: whole(figure.medianMatches),
      Platbook: milliseconds(figure.times.Platbook?.median ?? Number.NaN),
      ...peerCells(figure, run),
    })),
  );
}

export function spreadTable(run: BenchRun): string {
  const names = ['Platbook', ...peers.map(({ name }) => name)];
  return tableText(
    ['question', ...names.map((name) => `${name} p95`), 'count alone', 'count p95', 'bytes touched', 'count target'],
    run.questions.map((figure) => ({
      question: figure.id,
      ...Object.fromEntries(
        names.map((name) => [`${name} p95`, figure.times[name] ? milliseconds(figure.times[name].p95) : '']),
      ),
      'count alone': milliseconds(figure.count.median),
      'count p95': milliseconds(figure.count.p95),
      'bytes touched': figure.bytesTouched === null ? 'not told' : whole(figure.bytesTouched),
      'count target': countCell(figure, run.bandwidth),
    })),
  );
}

function countCell({ bytesTouched, count }: QuestionFigures, bytesPerSecond: number): string {
  if (bytesTouched === null) return '';
  const target = countTarget(bytesTouched, bytesPerSecond);
  return `${milliseconds(target)}: ${verdict(count.median <= target)}`;
}

interface Line {
  readonly what: string;
  readonly figure: string;
  readonly target: string;
}

const line = (what: string, figure: string, target = ''): Line => ({ what, figure, target });
const held = (isMet: boolean, target: string): string => `${target}: ${verdict(isMet)}`;

function loadingLines(run: BenchRun): Line[] {
  const { imported, converted, loaded } = run.loading;
  const rate = imported.rows / imported.seconds;
  const lines = [
    line('generator', `${whole(run.parcels)} parcels in ${run.loading.generatedSeconds.toFixed(1)} s`),
    line(
      'import',
      `${whole(rate)} rows/s, ${imported.seconds.toFixed(1)} s, peak ${megabytes(imported.peakBytes)}, file ${megabytes(imported.bytes)}`,
    ),
  ];
  if (converted) {
    const ratio = converted.seconds / imported.seconds;
    const told = `${converted.seconds.toFixed(1)} s, file ${megabytes(converted.bytes)}, ${times(ratio)} as long as ours`;
    lines.push(line('ogr2ogr into SpatiaLite', told, held(ratio >= targets.importRatio, `≥ ${targets.importRatio}×`)));
    lines.push(line('our file ÷ ogr2ogr’s, without B-trees', times(imported.bytes / converted.bytes)));
  } else if (run.missing.ogr2ogr) lines.push(line('ogr2ogr into SpatiaLite', `missing ${run.missing.ogr2ogr}`));
  for (const { name } of peers) {
    const found = loaded[name];
    if (found) lines.push(line(`${name}: load, file`, `${found.seconds.toFixed(1)} s, ${megabytes(found.bytes)}`));
  }
  const theirs = loaded.SpatiaLite;
  if (theirs) {
    const ratio = imported.bytes / theirs.bytes;
    lines.push(
      line('our file ÷ SpatiaLite’s', times(ratio), held(ratio <= targets.fileRatio, `≤ ${targets.fileRatio}×`)),
    );
  }
  return lines;
}

function memoryLines({ engines }: BenchRun): Line[] {
  return Object.entries(engines).map(([name, { residentBytes }]) =>
    name === 'Platbook'
      ? line(
          'resident memory after all questions: Platbook',
          megabytes(residentBytes),
          held(residentBytes <= targets.residentBytes, `≤ ${megabytes(targets.residentBytes)}`),
        )
      : line(`resident memory: ${name}`, megabytes(residentBytes)),
  );
}

function coldLines({ engines, leftOut }: ColdFigures): Line[] {
  const lines = Object.entries(engines).map(([name, cold]) =>
    line(
      `cold first query: ${name}`,
      `${milliseconds(cold.median)} ms (${milliseconds(cold.least)} to ${milliseconds(cold.most)}, ${cold.queries} processes); with Node's start ${milliseconds(cold.medianSinceStart)}`,
    ),
  );
  const [ours, theirs] = [engines.Platbook, engines.DuckDB];
  if (ours && theirs) {
    const ratio = ours.median / theirs.median;
    const isMet = ratio <= targets.coldRatio;
    lines.push(line('cold: ours ÷ DuckDB’s', times(ratio), held(isMet, `≤ ${targets.coldRatio.toFixed(1)}×`)));
  }
  return [
    ...lines,
    ...Object.entries(leftOut).map(([name, why]) => line(`cold first query: ${name}`, `left out: ${why}`)),
  ];
}

function figureTarget({ what, median, p95 }: Figure): string {
  const { compsMilliseconds, compValueP95Milliseconds, httpAddsMilliseconds, tileMilliseconds } = targets;
  if (what.startsWith('comps')) return held(median <= compsMilliseconds, `≤ ${compsMilliseconds} ms`);
  if (what === 'comp value') return held(p95 <= compValueP95Milliseconds, `p95 ≤ ${compValueP95Milliseconds} ms`);
  if (what === 'tile z14: parcels') return held(median <= tileMilliseconds, `≤ ${tileMilliseconds} ms`);
  if (what === 'HTTP adds') return held(median <= httpAddsMilliseconds, `≤ ${httpAddsMilliseconds} ms`);
  return '';
}

function figureLines({ figures }: BenchRun): Line[] {
  return figures.map((figure) =>
    line(
      figure.what,
      `${milliseconds(figure.median)} ms, p95 ${milliseconds(figure.p95)}, median ${whole(figure.medianMatches)} found`,
      figureTarget(figure),
    ),
  );
}

export function otherTable(run: BenchRun): string {
  const lines = [
    ...loadingLines(run),
    ...memoryLines(run),
    ...(run.cold ? coldLines(run.cold) : []),
    ...figureLines(run),
    line('memory bandwidth', `${(run.bandwidth / 1e9).toFixed(1)} GB/s, one thread, WASM sum over 256 MB`),
  ];
  return tableText(
    ['what', 'figure', 'target'],
    lines.map((one) => ({ ...one })),
  );
}

/** What was compared with what, where, and what was not. */
export function headText(run: BenchRun): string {
  const { machine, engines } = run;
  const many = run.questions.some(({ id }) => id === 'Q9') ? `, ${whole(run.manyParcels)} in 18 (Q9)` : '';
  const versions = Object.entries(engines).map(([name, { version }]) => `${name} (${version})`);
  const missing = Object.entries(run.missing).map(([name, why]) => `MISSING: ${name} needs ${why}`);
  return [
    `${whole(run.parcels)} parcels in one county${many}; ${run.variants} variants of each question, no result cache`,
    `${machine.processor} × ${machine.processors}, Node ${machine.node}, load ${machine.loadBefore.toFixed(1)} before and ${machine.loadAfter.toFixed(1)} after (2 threads for every engine)`,
    versions.join('; '),
    ...missing,
    ...(run.withoutEngines.length > 0 ? [`LEFT OUT as asked: ${run.withoutEngines.join(', ')}`] : []),
    ...(run.reused.length > 0
      ? [`REUSED from an earlier run, times of loading are that run's: ${run.reused.join(', ')}`]
      : []),
    ...(run.parcels === 1_000_000 ? [] : ['The targets are for 1,000,000 parcels.']),
  ].join('\n');
}

export function disagreementText({ disagreements, compared }: BenchRun): string {
  if (disagreements.length === 0)
    return `All ${whole(compared)} answers of other engines agree with Platbook's: count, and every row of the page.`;
  const shown = disagreements
    .slice(0, 20)
    .map(
      ({ question, engine, body, page, difference }) =>
        `  ${question}, ${engine}: ${difference}\n    page ${page} of ${JSON.stringify(body).slice(0, 600)}`,
    );
  return [`${disagreements.length} ANSWERS DIFFER, the first ${shown.length}:`, ...shown].join('\n');
}
