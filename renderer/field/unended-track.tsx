/** A track whose program stopped while it ran: only the user knows whether this is the same walk. */

import { formatLength } from '../map/units.ts';
import { useClient } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { endTrackById, goOn, running } from './track.ts';
import { useMarks } from './use-marks.ts';

const metersPerFoot = 0.3048;

export function UnendedTrack() {
  const client = useClient();
  const { units } = useStore(settings);
  const { track, ended, isStarting } = useStore(running);
  const { tracks } = useMarks();
  const open = tracks.filter(({ ended_at: at, track_id: id }) => at === null && id !== ended).at(-1);
  if (!open || track || isStarting) return null;
  const { track_id: id, name, started_at: startedAt, lines } = open;
  const meters = open.feet * metersPerFoot;
  return (
    <div className="field-plate field-unended" role="status">
      <p className="grow">
        “{name}” was not ended: {formatLength(meters, units)}.
      </p>
      <div className="line">
        <button
          type="button"
          className="button primary"
          onClick={() =>
            goOn({
              id,
              name,
              startedAt: Date.parse(startedAt),
              meters,
              line: lines.flat().map(([longitude, latitude]) => ({ longitude, latitude })),
            })
          }
        >
          Go on
        </button>
        <button type="button" className="button" onClick={() => void endTrackById(client, id, name, meters)}>
          End it
        </button>
      </div>
    </div>
  );
}
