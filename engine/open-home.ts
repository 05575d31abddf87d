/** Opens a home when a program starts: command line, `serve` and desktop app alike. */
import { refuseNetworkFolder, requireHome } from './backup/home-place.ts';
import { finishPlannedRestore, type RestoreReport, setPlanAside, wrongPlan } from './backup/restore-home.ts';
import { type Engine, type EngineOptions, openEngine } from './engine.ts';
import { clearShelf } from './exporting/export-shelf.ts';
import { forgetPhotoFiles } from './photos/photo-files.ts';
import { clearForSample, placeSample } from './sample-county.ts';

interface Start {
  /** Open windows show data read earlier: a restore that has not begun to move files waits until they are closed. */
  readonly hasWindows?: boolean;
  /** The home is the sample's: it is unpacked where there are no parcels. */
  readonly isSample?: boolean;
  /** Receives sentences for the user: a planned restore was finished first, something of the home was put in order. */
  readonly tell: (sentence: string) => void;
}

/**
 * Finishes a planned restore, opens the home, says what had to be put in order, removes old exports and the originals of deleted photos.
 * @throws EngineError as `openEngine`; home_missing for a network folder; sample_and_real
 */
export function openHomeAtStart(options: EngineOptions, { hasWindows = false, isSample = false, tell }: Start): Engine {
  const { home } = options;
  refuseNetworkFolder(home);
  const wrong = wrongPlan(home);
  const restored = finishPlannedRestore(home, { onlyBegun: hasWindows });
  if (restored) tell(restoredSentence(restored));
  if (!options.create) requireHome(home, '"platbook import parcels" or "platbook sample" makes one.');
  const engine = (isSample ? openSample : openEngine)({ ...options, create: true });
  if (wrong !== null) tell(setPlanAside(home, wrong, engine.now()));
  for (const sentence of engine.settled.sentences) tell(sentence);
  clearShelf(home, engine.now());
  forgetPhotoFiles(home, engine.account);
  return engine;
}

function openSample(options: EngineOptions): Engine {
  placeSample(options.home);
  const engine = openEngine(options);
  if (engine.land.parcelCount > 0 && engine.land.kind === 'sample') return engine;
  // An empty home, or one whose import was undone.
  clearForSample(engine);
  placeSample(options.home);
  return openEngine(options);
}

const restoredSentence = ({ made_at: madeAt, kept_in: keptIn }: RestoreReport): string =>
  `Restored the backup of ${madeAt}${keptIn === null ? '' : `; what stood before is kept in ${keptIn}`}.`;
