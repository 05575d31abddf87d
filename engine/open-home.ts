/** A home at the start of a program, the same through every door: command line, browser and desktop app. */
import { refuseNetworkFolder } from './backup/home-place.ts';
import { finishPlannedRestore, type RestoreReport } from './backup/restore-home.ts';
import { type Engine, type EngineOptions, openEngine } from './engine.ts';
import { clearShelf } from './exporting/export-shelf.ts';

export interface Start {
  /** Windows show what they read before: a restore that has not begun to move files waits until they are closed. */
  readonly hasWindows?: boolean;
  /** Gets a sentence for the user: what was put in place before the home was opened. */
  readonly tell: (sentence: string) => void;
}

/** @throws EngineError as `openEngine`; home_missing for a folder of another machine */
export function openHomeAtStart(options: EngineOptions, { hasWindows = false, tell }: Start): Engine {
  const { home } = options;
  refuseNetworkFolder(home);
  const restored = finishPlannedRestore(home, { onlyBegun: hasWindows });
  if (restored) tell(restoredSentence(restored));
  const engine = openEngine(options);
  clearShelf(home, engine.now());
  return engine;
}

const restoredSentence = ({ made_at: madeAt, kept_in: keptIn }: RestoreReport): string =>
  `Restored the backup of ${madeAt}${keptIn === null ? '' : `; what stood before is kept in ${keptIn}`}.`;
