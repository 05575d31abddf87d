/** Everything that one run of the bench found out; written as it is by --json. */
import type { Disagreement } from './agreement.ts';
import type { QuestionFigures } from './ask-engines.ts';
import type { ColdFigures } from './cold-figures.ts';
import type { EngineFacts } from './engine-worker.ts';
import type { Loaded } from './engines/engine.ts';
import type { Figure } from './figures.ts';
import type { Imported } from './loading.ts';

export interface Machine {
  readonly processor: string;
  readonly processors: number;
  readonly node: string;
  /** Load averages of one minute. */
  readonly loadBefore: number;
  readonly loadAfter: number;
}

export interface BenchRun {
  readonly parcels: number;
  readonly manyParcels: number;
  readonly variants: number;
  readonly machine: Machine;
  /** What is missing, and how to get it. */
  readonly missing: Readonly<Record<string, string>>;
  readonly withoutEngines: readonly string[];
  readonly reused: readonly string[];
  readonly loading: {
    readonly generatedSeconds: number;
    readonly imported: Imported;
    readonly converted: Loaded | null;
    readonly loaded: Readonly<Record<string, Loaded>>;
  };
  readonly engines: Readonly<Record<string, EngineFacts>>;
  readonly questions: readonly QuestionFigures[];
  readonly cold: ColdFigures | null;
  readonly figures: readonly Figure[];
  /** Bytes a second that one thread reads. */
  readonly bandwidth: number;
  /** Answers of other engines that were compared with Platbook's. */
  readonly compared: number;
  readonly disagreements: readonly Disagreement[];
}
