/** True bearings, or as a compass shows them where the user stands. */
import { useEffect, useState } from 'react';
import { useClient } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { type LonLat, magneticBearing } from './bearing.ts';

export interface North {
  /** A true bearing as it is shown. */
  readonly shown: (trueDegrees: number) => number;
  readonly words: 'true' | 'magnetic';
}

const trueNorth: North = { shown: (degrees) => degrees, words: 'true' };

/** True until the declination is known, and where no shipped model knows it. */
export function useNorth(at: LonLat | null): North {
  const client = useClient();
  const { north } = useStore(settings);
  const [east, setEast] = useState<number | null>(null);
  // Within 10 km it differs by less than a compass can be read.
  const [longitude, latitude] = [at?.longitude.toFixed(1), at?.latitude.toFixed(1)];
  useEffect(() => {
    if (north === 'true' || longitude === undefined || latitude === undefined) return setEast(null);
    let isLatest = true;
    client.read('magnetic_declination', { longitude: Number(longitude), latitude: Number(latitude) }).then(
      ({ declination }) => isLatest && setEast(declination?.degrees ?? null),
      () => isLatest && setEast(null),
    );
    return () => {
      isLatest = false;
    };
  }, [client, north, longitude, latitude]);
  return east === null ? trueNorth : { shown: (degrees) => magneticBearing(degrees, east), words: 'magnetic' };
}
