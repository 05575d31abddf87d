/** A new waypoint, here or under the cross; and one that is kept. */
import { Navigation, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatDate } from '../parts/format.ts';
import { useClient } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { makeChange } from '../work/make-change.ts';
import { PhotoView } from '../work/photo-view.tsx';
import { accuracyWords } from './bearing.ts';
import { aimAt, closerOfSheet, closeSheet, type FieldPlace, field } from './field-state.ts';
import { useMarks, type Waypoint } from './use-marks.ts';

export function WaypointSheet() {
  const { place } = useStore(field);
  return place ? <NewWaypoint place={place} /> : <p role="status">Waiting for a position.</p>;
}

/** The place is that of the press: typing a name takes a few steps. */
function NewWaypoint({ place }: { place: FieldPlace }) {
  const client = useClient();
  const { units } = useStore(settings);
  const { longitude, latitude, accuracyMeters } = place;
  const keep = (name: string) => {
    const accuracy = accuracyMeters === null ? {} : { accuracy_meters: accuracyMeters };
    const waypoint = { longitude, latitude, ...(name ? { name } : {}), ...accuracy };
    void makeChange(client, 'add_waypoint', waypoint, closerOfSheet());
  };
  return (
    <>
      <NameForm label="Name (empty: a number)" name="" button="Keep it" onName={keep} />
      <p>
        {accuracyMeters === null
          ? 'Under the cross of the map.'
          : `Where you pressed, GPS ${accuracyWords(accuracyMeters, units)}.`}
      </p>
    </>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly name: string;
  readonly button: string;
  readonly onName: (name: string) => void;
}

function NameForm({ label, name, button, onName }: NameFormProps) {
  const [text, setText] = useState(name);
  return (
    <form
      className="field-form"
      onSubmit={(event) => {
        event.preventDefault();
        onName(text.trim());
      }}
    >
      <label className="control">
        <span className="control-label">{label}</span>
        <span className="field">
          <input data-first value={text} maxLength={200} onChange={(event) => setText(event.target.value)} />
        </span>
      </label>
      <button type="submit" className="button primary">
        {button}
      </button>
    </form>
  );
}

export function MarkSheet(): ReactNode {
  const { mark } = useStore(field);
  const { waypoints, photos } = useMarks();
  const waypoint = mark?.kind === 'waypoint' && waypoints.find(({ waypoint_id: id }) => id === mark.id);
  if (waypoint) return <KeptWaypoint key={waypoint.waypoint_id} waypoint={waypoint} />;
  const photo = mark?.kind === 'photo' && photos.find(({ photo_id: id }) => id === mark.id);
  if (photo) return <PhotoView key={photo.photo_id} photo={photo} onDeleted={closerOfSheet()} />;
  return <p role="status">It is no longer kept.</p>;
}

function KeptWaypoint({ waypoint }: { waypoint: Waypoint }) {
  const client = useClient();
  const { units } = useStore(settings);
  const { waypoint_id: id, name, longitude, latitude, apn, accuracy_meters: accuracy, made_at: at } = waypoint;
  const rename = (next: string) => {
    if (next === '' || next === name) return closeSheet();
    void makeChange(client, 'rename_waypoint', { waypoint_id: id, name: next }, closerOfSheet());
  };
  return (
    <>
      <NameForm label="Name" name={name} button="Rename" onName={rename} />
      <p>
        {[
          apn === null ? 'On no parcel of this book' : `On ${apn}`,
          accuracy === null ? 'set on the map' : `GPS ${accuracyWords(accuracy, units)}`,
          formatDate(at.slice(0, 10)),
        ].join(', ')}
      </p>
      <div className="field-choices">
        <button type="button" className="button" onClick={() => aimAt({ name, longitude, latitude })}>
          <Navigation aria-hidden />
          Go to it
        </button>
        <button
          type="button"
          className="button"
          onClick={() => void makeChange(client, 'delete_waypoint', { waypoint_id: id }, closerOfSheet())}
        >
          <Trash2 aria-hidden />
          Delete
        </button>
      </div>
    </>
  );
}
