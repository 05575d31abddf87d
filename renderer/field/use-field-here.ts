/** The position with what the engine says of it, and the heading; both change together. */
import { useEffect, useRef, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { type Heading, headingAfter } from '../location/heading.ts';
import { type HerePosition, here, setPace } from '../location/position-state.ts';
import { useHere } from '../location/use-here.ts';
import { useClient } from '../state/client-context.tsx';
import { type North, useNorth } from './use-north.ts';

export type ParcelPosition = NonNullable<ReadOutputOf<'position_in_parcel'>['position']>;

export interface FieldHere {
  readonly position: HerePosition | null;
  /** The parcel at this position; null: no parcel is near; undefined: not answered yet. */
  readonly parcel: ParcelPosition | null | undefined;
  readonly heading: Heading | null;
  readonly north: North;
  /** Why there is no position, or no answer; a sentence. */
  readonly problem: string | null;
  /** Age of the position in whole seconds; null while it is fresh. */
  readonly oldSeconds: number | null;
}

/** The engine's limit of accuracy; 100 km say nothing about a place. */
const worstAccuracyMeters = 100_000;
const savingMilliseconds = 10_000;

interface Answered {
  readonly position: HerePosition;
  readonly parcel: ParcelPosition | null;
}

export function useFieldHere(isSaving: boolean): FieldHere {
  const client = useClient();
  useEffect(() => {
    setPace(isSaving ? savingMilliseconds : 0);
    return () => setPace(0);
  }, [isSaving]);
  const { position, problem, oldSeconds } = useHere();
  const [answered, setAnswered] = useState<Answered | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (!position) return setAnswered(null);
    const { longitude, latitude, accuracyMeters } = position;
    client
      .read('position_in_parcel', {
        longitude,
        latitude,
        accuracy_meters: Math.min(accuracyMeters, worstAccuracyMeters),
      })
      .then(
        ({ position: parcel }) => {
          setFailure(null);
          // Answers may overtake each other, and the position may have been forgotten meanwhile.
          setAnswered((before) =>
            here.get().position === null || (before && before.position.cameAt > position.cameAt)
              ? before
              : { position, parcel },
          );
        },
        (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
      );
  }, [client, position]);
  return {
    // What the card says and what the map shows is one place.
    position: answered?.position ?? position,
    parcel: answered?.parcel,
    heading: useHeading(position),
    north: useNorth(position),
    problem: problem ?? failure,
    oldSeconds,
  };
}

function useHeading(position: HerePosition | null): Heading | null {
  const before = useRef<{ position: HerePosition | null; heading: Heading | null }>({ position: null, heading: null });
  if (before.current.position !== position)
    before.current = { position, heading: position && headingAfter(before.current.heading, position) };
  return before.current.heading;
}
