/** The screen stays on, and below a fifth of the battery less is done. Both only where the browser can tell. */
import { useEffect, useState } from 'react';
import { formatPercent } from '../parts/format.ts';
import { toast } from '../state/toasts.ts';

export interface Power {
  /** 0 to 1; null: not told, as in Firefox and Safari. */
  readonly level: number | null;
  readonly isCharging: boolean;
  /** Whether the screen is kept on; null: the browser cannot. */
  readonly staysOn: boolean | null;
  readonly isSaving: boolean;
}

/** Not in the library of types: Chromium alone has it. */
interface Battery extends EventTarget {
  readonly level: number;
  readonly charging: boolean;
}

const lowLevel = 0.2;

export function usePower(): Power {
  const { level, isCharging } = useBattery();
  const staysOn = useWakeLock();
  const isSaving = level !== null && level < lowLevel && !isCharging;
  useEffect(() => {
    if (isSaving) toast(`The battery is below ${formatPercent(100 * lowLevel)}: a position each 10 s, and no relief.`);
  }, [isSaving]);
  return { level, isCharging, staysOn, isSaving };
}

function useBattery(): Pick<Power, 'level' | 'isCharging'> {
  const [told, setTold] = useState<Pick<Power, 'level' | 'isCharging'>>({ level: null, isCharging: false });
  useEffect(() => {
    const { getBattery } = navigator as Navigator & { getBattery?: () => Promise<Battery> };
    let stop = () => {};
    let isGone = false;
    getBattery?.call(navigator).then(
      (battery) => {
        if (isGone) return;
        const tell = () => setTold({ level: battery.level, isCharging: battery.charging });
        tell();
        battery.addEventListener('levelchange', tell);
        battery.addEventListener('chargingchange', tell);
        stop = () => {
          battery.removeEventListener('levelchange', tell);
          battery.removeEventListener('chargingchange', tell);
        };
      },
      // Refused: as if it could not tell.
      () => {},
    );
    return () => {
      isGone = true;
      stop();
    };
  }, []);
  return told;
}

/** A hidden window loses the lock, so that it is asked for again when the window returns. */
function useWakeLock(): boolean | null {
  const [isHeld, setHeld] = useState<boolean | null>(null);
  useEffect(() => {
    // Absent outside secure contexts and in older browsers.
    const wakeLock = navigator.wakeLock as WakeLock | undefined;
    if (!wakeLock) return;
    let held: WakeLockSentinel | null = null;
    let isGone = false;
    const ask = async () => {
      if (document.visibilityState !== 'visible' || (held && !held.released)) return;
      try {
        const lock = await wakeLock.request('screen');
        if (isGone) return void lock.release();
        held = lock;
        lock.addEventListener('release', () => setHeld(false));
        setHeld(true);
      } catch {
        // Refused by the system, as for an empty battery.
        setHeld(false);
      }
    };
    void ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      isGone = true;
      document.removeEventListener('visibilitychange', ask);
      void held?.release();
    };
  }, []);
  return isHeld;
}
