/** A place on the earth as a receiver tells it. */
export interface Position {
  /** Degrees, WGS84. */
  readonly longitude: number;
  readonly latitude: number;
  /** The true place is within so many metres in most cases; an estimate. */
  readonly accuracyMeters: number;
  /** ISO time of the fix; null where the receiver does not say the date. */
  readonly at: string | null;
}

/** Where positions come from: a serial port, gpsd, a file that is played back. */
export interface PositionSource {
  /**
   * @param onPosition called with every fix
   * @param onProblem called with a sentence when nothing can come, or nothing comes any more
   * @returns what ends it
   */
  start(onPosition: (position: Position) => void, onProblem: (sentence: string) => void): () => void;
}
