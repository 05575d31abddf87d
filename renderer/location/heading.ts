/** Where the user is heading, by the course over ground: a receiver that stands reports any course. */

/** Slower than this, a course is noise: half a walk. */
const slowestMetersPerSecond = 0.7;

export interface Heading {
  /** Degrees, true. */
  readonly degrees: number;
  /** The last one, from before the user slowed down: to be shown dimmed. */
  readonly isOld: boolean;
}

interface Motion {
  readonly course: number | null;
  readonly speed: number | null;
}

/** The heading after a position, given the one before it; null until the user has moved. */
export function headingAfter(before: Heading | null, { course, speed }: Motion): Heading | null {
  if (course !== null && speed !== null && speed > slowestMetersPerSecond) return { degrees: course, isOld: false };
  return before && { ...before, isOld: true };
}
