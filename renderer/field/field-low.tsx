/** At the bottom: what was asked or where to go, the scale, the state of the walk, and the buttons. */
import { BatteryLow, BatteryMedium, Route, Satellite, Sun } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { TroubleBanners } from '../frame/banners.tsx';
import { Toasts } from '../frame/toasts.tsx';
import type { MapSources } from '../map/map-sources.ts';
import { mapPresence } from '../map/map-state.ts';
import { isMetric, scaleSteps } from '../map/units.ts';
import { formatPercent } from '../parts/format.ts';
import { useClient } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { durationWords, walkedWords } from './bearing.ts';
import { fieldActions } from './field-actions.ts';
import { field } from './field-state.ts';
import { GoCard } from './go-card.tsx';
import { FieldSheet } from './sheets.tsx';
import type { RunningTrack } from './track.ts';
import { UnendedTrack } from './unended-track.tsx';
import type { FieldHere } from './use-field-here.ts';
import type { Power } from './use-power.ts';

interface LowProps {
  /** What stays: notes above it come and go. */
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly found: FieldHere;
  readonly track: RunningTrack | null;
  readonly power: Power;
  readonly sources: MapSources;
}

export function FieldLow({ ref, found, track, power, sources }: LowProps) {
  const { sheet } = useStore(field);
  return (
    <section className="field-low" aria-label="In the field">
      <div className="field-told">
        <TroubleBanners />
        <Toasts />
      </div>
      <div ref={ref} className="field-base">
        <div className="field-news">
          {sheet ? null : <UnendedTrack />}
          {sheet ? <FieldSheet sheet={sheet} found={found} sources={sources} /> : <GoCard found={found} />}
          <div className="field-state">
            <FieldScale />
            <Strip found={found} track={track} power={power} />
          </div>
        </div>
        <FieldButtons isTracking={track !== null} />
      </div>
    </section>
  );
}

function FieldButtons({ isTracking }: { isTracking: boolean }) {
  const client = useClient();
  const { sheet } = useStore(field);
  const { letters } = useStore(settings);
  return (
    <div className="field-actions" role="toolbar" aria-label="Actions">
      {fieldActions.map(({ id, label, key, icon: Icon, sheet: own, run }) => (
        <button
          key={id}
          type="button"
          className="field-plate field-action"
          aria-keyshortcuts={letters ? key : undefined}
          aria-pressed={own === null ? isTracking : sheet === own}
          onClick={() => run(client)}
        >
          <Icon aria-hidden />
          <span>{label}</span>
          {letters ? <kbd>{key.toUpperCase()}</kbd> : null}
        </button>
      ))}
    </div>
  );
}

const longestPixels = 140;

/** In the user's units alone: the numbers of the card are. */
function FieldScale() {
  const { metersPerPixel } = useStore(mapPresence);
  const { units } = useStore(settings);
  if (metersPerPixel === 0) return null;
  const { feet, meters } = scaleSteps(metersPerPixel, longestPixels);
  const { pixels, words } = isMetric(units) ? meters : feet;
  return (
    <div className="field-scale num" role="img" aria-label={`Scale: this long is ${words}`}>
      <span>{words}</span>
      <i style={{ width: pixels }} />
    </div>
  );
}

/** Only what is known. */
function Strip({ found: { position }, track, power: { level, staysOn, isSaving } }: Omit<LowProps, 'ref' | 'sources'>) {
  const satellites = position?.satellites ?? null;
  const isEmpty = satellites === null && level === null && !staysOn && !track;
  if (isEmpty) return null;
  const battery = level === null ? null : formatPercent(100 * level, 0);
  return (
    <ul className="field-plate field-strip num" aria-label="State">
      {satellites === null ? null : (
        <Item icon={<Satellite aria-hidden />} name="Satellites" words={String(satellites)} />
      )}
      {battery === null ? null : (
        <Item
          icon={isSaving ? <BatteryLow aria-hidden /> : <BatteryMedium aria-hidden />}
          name="Battery"
          words={isSaving ? `${battery}, saving` : battery}
        />
      )}
      {staysOn ? <Item icon={<Sun aria-hidden />} name="Screen" words="stays on" /> : null}
      {track ? <TrackItem track={track} /> : null}
    </ul>
  );
}

const Item = ({ icon, name, words }: { icon: ReactNode; name: string; words: string }) => (
  <li>
    {icon}
    <span className="sr">{name}: </span>
    {words}
  </li>
);

function TrackItem({ track: { meters, startedAt } }: { track: RunningTrack }) {
  const { units } = useStore(settings);
  const now = useNow(30_000);
  return (
    <Item
      icon={<Route aria-hidden />}
      name="Track"
      words={`${walkedWords(meters, units)}, ${durationWords(now - startedAt)}`}
    />
  );
}

/** Milliseconds since 1970, as often as asked. */
function useNow(everyMilliseconds: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMilliseconds);
    return () => clearInterval(timer);
  }, [everyMilliseconds]);
  return now;
}
