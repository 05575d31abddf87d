/** A position reported by a receiver. */
export interface Position {
  /** Degrees, WGS84. */
  readonly longitude: number;
  readonly latitude: number;
  /** Estimated error: the true place is within this many meters in most cases. */
  readonly accuracyMeters: number;
  /** ISO time of the fix; null if the receiver does not report the date. */
  readonly at: string | null;
  /** Course over ground in degrees, true; null if the receiver does not report it, as while it stands. */
  readonly course: number | null;
  /** Meters per second over ground. */
  readonly speed: number | null;
  /** Satellites in use. */
  readonly satellites: number | null;
}

/** Source of positions: a serial port, gpsd, a replayed file. */
export interface PositionSource {
  /**
   * @param onPosition called with every fix
   * @param onProblem called with a sentence if no position can come, or none comes any more
   * @returns a function that ends it
   */
  start(onPosition: (position: Position) => void, onProblem: (sentence: string) => void): () => void;
}
