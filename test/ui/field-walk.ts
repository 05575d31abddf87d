/** A walk in the window: positions as a browser reports them, given one by one; and a recorded walk in NMEA. */
import type { Page } from 'playwright-core';
import { nmeaChecksum, nmeaParser } from '../../electron/gps/nmea.ts';

export interface Step {
  readonly longitude: number;
  readonly latitude: number;
  /** Meters. */
  readonly accuracy: number;
  /** True, degrees; null: not known. */
  readonly heading: number | null;
  /** Meters per second. */
  readonly speed: number | null;
}

/** Playwright's own simulated location has neither course nor speed. Runs in the page, before it asks. */
export const takeOverLocation = (page: Page): Promise<void> =>
  page.evaluate(() => {
    type Told = (position: { coords: object; timestamp: number }) => void;
    const told = new Set<Told>();
    let last: { coords: object; timestamp: number } | null = null;
    const geolocation = {
      watchPosition: (tell: Told) => {
        told.add(tell);
        if (last) tell(last);
        return tell;
      },
      clearWatch: (tell: Told) => told.delete(tell),
    };
    Object.defineProperty(navigator, 'geolocation', { value: geolocation, configurable: true });
    Object.assign(globalThis, {
      stepTo: (coords: object, timestamp: number) => {
        last = { coords, timestamp };
        for (const tell of told) tell(last);
      },
    });
  });

export const stepTo = (page: Page, step: Step, at = Date.now()): Promise<void> =>
  page.evaluate(
    ([coords, timestamp]) =>
      (globalThis as unknown as { stepTo(coords: object, timestamp: number): void }).stepTo(coords, timestamp),
    [step, at] as const,
  );

type Place = readonly [longitude: number, latitude: number];

const two = (value: number) => String(value).padStart(2, '0');

/** `4403.5712`, `N` */
function degrees(value: number, digits: 2 | 3, sides: string): string {
  const whole = Math.floor(Math.abs(value));
  const minutes = ((Math.abs(value) - whole) * 60).toFixed(6).padStart(9, '0');
  return `${String(whole).padStart(digits, '0')}${minutes},${value < 0 ? sides[1] : sides[0]}`;
}

/** A recording as a receiver of ten satellites writes it, each second at a dilution of 0.8: RMC, then GGA. */
export function recordWalk(places: readonly Place[], courseDegrees: number): string[] {
  return places.flatMap(([longitude, latitude], second) => {
    const time = `1405${two(second % 60)}.000`;
    const place = `${degrees(latitude, 2, 'NS')},${degrees(longitude, 3, 'EW')}`;
    // 2.6 knots are 1.34 m/s.
    const bodies = [
      `GPRMC,${time},A,${place},2.6,${courseDegrees.toFixed(1)},251126,,,A`,
      `GPGGA,${time},${place},1,10,0.8,300.0,M,-32.0,M,,`,
    ];
    return bodies.map((body) => `$${body}*${nmeaChecksum(body)}`);
  });
}

/** The positions of a recording, as the app's own reader gives them. */
export function playedWalk(lines: readonly string[]): { readonly step: Step; readonly at: number }[] {
  const parse = nmeaParser();
  return lines
    .map((line) => parse(line))
    .filter((position) => position !== null)
    .map(({ longitude, latitude, accuracyMeters, course, speed, at }) => ({
      step: { longitude, latitude, accuracy: accuracyMeters, heading: course, speed },
      at: at === null ? Date.now() : Date.parse(at),
    }));
}
