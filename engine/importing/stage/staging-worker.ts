/**
 * Runs in a worker thread: reads its share of a file and stages it. Holds no database, so it can be terminated at any
 * time.
 */
import { workerData } from 'node:worker_threads';
import { openElsewhere } from '../formats/open-elsewhere.ts';
import { turnOf } from '../formats/parcel-source.ts';
import { dictionaryMapper, mapperOf } from '../mapping/row-mapper.ts';
import { type ImportProblem, newReadingLog, readingCountsOf } from './import-report.ts';
import { learn } from './learn-columns.ts';
import { FeatureStager } from './stage-features.ts';
import { StagingWriter } from './staged-parcels.ts';
import { type StagingNews, type StagingOrder, slots } from './staging-order.ts';

/** Limit of waiting messages: a fast thread must not fill the memory. */
const mostWaiting = 32;

const order = workerData as StagingOrder;
const { shared, share, port } = order;
const takenSlot = slots.taken + share.index;
let sent = 0;

function send(news: StagingNews): void {
  for (;;) {
    const taken = Atomics.load(shared, takenSlot);
    if (sent - taken < mostWaiting || Atomics.load(shared, slots.stop) === 1) break;
    Atomics.wait(shared, takenSlot, taken);
  }
  port.postMessage(news);
  sent++;
  Atomics.add(shared, slots.news, 1);
  Atomics.notify(shared, slots.news);
}

/** @returns false if this thread met something all must know, or was told to stop */
function stageShare(): boolean {
  const { date, state, latestDate } = order;
  const layer = openElsewhere(order.layer);
  const mapper = order.mapping ? mapperOf(order.mapping, latestDate) : dictionaryMapper(latestDate);
  learn(layer, mapper);
  const learnt = mapper.learnt();
  let problems: ImportProblem[] = [];
  const newLog = () => newReadingLog((problem) => problems.push(problem));
  let log = newLog();
  const stager = new FeatureStager({ date, state, mapper }, log, new StagingWriter(order.space), null);
  let turn = 0;
  let position = { row: 0, byteOffset: 0 };
  const endTurn = (): void => {
    stager.endRange();
    send({ type: 'turn', turn, counts: readingCountsOf(log), problems, position });
    problems = [];
    log = newLog();
    stager.countInto(log);
  };
  for (const feature of layer.features(share)) {
    if (turnOf(feature.position.row) !== turn) {
      if (log.features_read > 0) endTurn();
      if (mapper.learnt() !== learnt || Atomics.load(shared, slots.stop) === 1) return false;
      turn = turnOf(feature.position.row);
    }
    stager.add(order.name, feature, feature.position.row);
    position = feature.position;
  }
  if (log.features_read > 0) endTurn();
  if (mapper.learnt() !== learnt || layer.isPart?.()) return false;
  const { leaves, known } = stager.finish();
  send({ type: 'end', leaves, known, zips: [...stager.situsZips], places: stager.places.summary() });
  return true;
}

try {
  if (!stageShare()) send({ type: 'failed' });
} catch {
  // A single thread, which reads the whole file, reports its faults in the right words and order.
  send({ type: 'failed' });
} finally {
  Atomics.add(shared, slots.ended, 1);
  Atomics.notify(shared, slots.ended);
}
