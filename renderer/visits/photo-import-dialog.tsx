/** Photos that are brought in: progress, then what must be asked, with what came of it so far. */
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { clockWords } from '../../engine/spec/clock-words.ts';
import { parseCoordinates } from '../../engine/spec/parse-coordinates.ts';
import { explore } from '../explore/explore-state.ts';
import { DialogWindow } from '../frame/overlay.tsx';
import { plural } from '../parts/format.ts';
import { Select } from '../parts/select.tsx';
import { Tick } from '../parts/tick.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { openedFiles, type PhotoImport } from '../state/opened-files.ts';
import { useStore } from '../state/store.ts';
import { tried } from '../state/toasts.ts';
import { addPhotos, type PhotoAnswers, replan } from './import-photos.ts';

type Plan = ReadOutputOf<'plan_photos'>;
type Camera = Plan['asked'][number];

export function PhotoImportDialog() {
  const { photos } = useStore(openedFiles);
  return (
    <DialogWindow
      title="Photos"
      isTitled
      isOpen={photos !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : openedFiles.set({ photos: null }))}
    >
      {photos?.plan ? <Found photos={photos} plan={photos.plan} /> : null}
      {photos && !photos.plan ? (
        <div className="dialog-form">
          <p role="status">
            Keeping {photos.done.toLocaleString()} of {photos.of.toLocaleString()} …
          </p>
          <progress className="photo-progress" value={photos.done} max={photos.of} aria-label="Photos kept" />
        </div>
      ) : null}
    </DialogWindow>
  );
}

function Found({ photos, plan }: { photos: PhotoImport; plan: Plan }) {
  const client = useClient();
  const [answers, setAnswers] = useState<PhotoAnswers>({});
  const [isOnParcel, setOnParcel] = useState(false);
  const { selected } = useStore(explore);
  const { data } = useRead('parcel', { id: selected ?? 0 }, { when: selected !== null, isLasting: true });
  const left = plan.left.filter(({ why }) => why !== 'here');
  const leftCount = left.reduce((sum, { count }) => sum + count, 0);
  const placed = plan.by_time + plan.own_place;
  const ask = (given: PhotoAnswers) => {
    setAnswers(given);
    void tried(() => replan(client, given));
  };
  const answer = (more: PhotoAnswers) => {
    const next = {
      clocks: [...(answers.clocks ?? []), ...(more.clocks ?? [])],
      known: [...(answers.known ?? []), ...(more.known ?? [])],
    };
    const given = {
      ...(next.clocks.length > 0 && { clocks: next.clocks }),
      ...(next.known.length > 0 && { known: next.known }),
    };
    ask(given);
  };
  const parcel = isOnParcel && selected !== null ? { property_id: selected } : {};
  return (
    <div className="dialog-form">
      <p role="status">
        {plural(photos.photos.length, 'photo', 'photos')}: {plan.by_time} placed by time
        {plan.by_time > 0 ? ` (± ${plan.farthest_error_m} m at most)` : ''}, {plan.own_place} by their own place.
      </p>
      <ul className="plain-list">
        {plan.clocks.map(({ camera, seconds, photos: count }) => (
          <li key={camera}>
            {camera}: its clock showed UTC{clockWords(seconds)} ({plural(count, 'photo', 'photos')})
          </li>
        ))}
        {plan.left
          .filter(({ why }) => why !== 'clock')
          .map(({ why, words, count, names }) => (
            <li key={why} title={names.join(', ')}>
              {count.toLocaleString()} {words}
            </li>
          ))}
        {photos.refused.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {plan.asked.map((camera) => (
        <ClockQuestion key={camera.camera} camera={camera} photos={photos} onAnswer={answer} />
      ))}
      {answers.clocks || answers.known ? (
        <button type="button" className="link" onClick={() => ask({})}>
          Take the answers back
        </button>
      ) : null}
      {leftCount > 0 && selected !== null && data ? (
        <Tick
          label={`Put the other ${leftCount.toLocaleString()} on ${data.parcel.apn || 'the selected parcel'}, without a place`}
          isOn={isOnParcel}
          onChange={setOnParcel}
        />
      ) : null}
      <div className="line dialog-buttons">
        <button type="button" className="button" onClick={() => openedFiles.set({ photos: null })}>
          Add none
        </button>
        <button
          type="button"
          className="button primary"
          disabled={placed + (isOnParcel ? leftCount : 0) === 0}
          onClick={() => void tried(() => addPhotos(client, { ...answers, ...parcel }))}
        >
          Add {plural(placed + (isOnParcel ? leftCount : 0), 'photo', 'photos')}
        </button>
      </div>
    </div>
  );
}

const why: Readonly<Record<Camera['why'], string>> = {
  nothing: 'Nothing tells how its clock was set.',
  several: 'Its photos with a place fit the track at several times.',
  still: 'The walk stood still at that place: take a photo from elsewhere.',
  contradiction: 'Its photos contradict each other.',
};

interface ClockQuestionProps {
  readonly camera: Camera;
  readonly photos: PhotoImport;
  readonly onAnswer: (answer: PhotoAnswers) => void;
}

/** The zone of this computer on the day of the photos, in seconds east. */
const zoneHere = (local: string): number => -new Date(local).getTimezoneOffset() * 60;

function ClockQuestion({ camera, photos, onAnswer }: ClockQuestionProps) {
  const { camera: name, count, first_at: first, last_at: last, last_seconds: before } = camera;
  const [photo, setPhoto] = useState(photos.photos.find((one) => camera.names.includes(one.name))?.file ?? '');
  const [time, setTime] = useState(first);
  const [place, setPlace] = useState('');
  const here = zoneHere(first);
  const found = parseCoordinates(place);
  return (
    <fieldset className="control">
      <legend>
        {name}: {plural(count, 'photo', 'photos')}, {first.replace('T', ' ')} to {last.slice(11)} by its clock
      </legend>
      <p className="small-text quieter">{why[camera.why]}</p>
      <div className="line wrap">
        <button
          type="button"
          className="button"
          onClick={() => onAnswer({ clocks: [{ camera: name, seconds: here }] })}
        >
          It was right, UTC{clockWords(here)}
        </button>
        {before === null || before === here ? null : (
          <button
            type="button"
            className="button"
            onClick={() => onAnswer({ clocks: [{ camera: name, seconds: before }] })}
          >
            As last time, UTC{clockWords(before)}
          </button>
        )}
      </div>
      <label className="control">
        <span className="control-label">Or one photo tells it</span>
        <span className="field">
          <Select
            value={photo}
            options={photos.photos.map(({ file, name: label }) => ({ value: file, label }))}
            onChange={setPhoto}
          />
        </span>
      </label>
      <div className="line wrap">
        <span className="field">
          <input
            type="datetime-local"
            step={1}
            aria-label="The time on the clock in the photo"
            value={time}
            onChange={({ target }) => setTime(target.value)}
          />
        </span>
        <button
          type="button"
          className="button"
          disabled={photo === '' || Number.isNaN(Date.parse(time))}
          onClick={() => onAnswer({ known: [{ photo, at: new Date(time).toISOString() }] })}
        >
          It shows a clock with this time
        </button>
      </div>
      <div className="line wrap">
        <span className="field">
          <input
            aria-label="Latitude and longitude of the photo"
            placeholder="44.0582, -71.884"
            value={place}
            onChange={({ target }) => setPlace(target.value)}
          />
        </span>
        <button
          type="button"
          className="button"
          disabled={photo === '' || found === null}
          onClick={() =>
            found && onAnswer({ known: [{ photo, longitude: found.longitude, latitude: found.latitude }] })
          }
        >
          It was taken here
        </button>
      </div>
    </fieldset>
  );
}
