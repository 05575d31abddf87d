/** One HTML file of parcels to send: what goes along is ticked, each tick with its count and an example. */
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { DialogWindow } from '../frame/overlay.tsx';
import { plural } from '../parts/format.ts';
import { ErrorState, Skeleton } from '../parts/states.tsx';
import { Tick } from '../parts/tick.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { targets } from '../work/targets.ts';
import { exportView, type ShareWhat } from './export-state.ts';
import { withNotes } from './mail-words.ts';
import { saveFile } from './save-file.ts';

type Part = ReadOutputOf<'look_share'>['parts'][number];

export function shareChosen(): void {
  const ids = targets();
  if (ids.length === 0) toast('Select a parcel to share');
  else exportView.set({ sharing: { ids: [...ids] } });
}

export function ShareDialog() {
  const { sharing: what } = useStore(exportView);
  const close = () => exportView.set({ sharing: null });
  return (
    <DialogWindow title="Page to send" isTitled isOpen={what !== null} onOpenChange={(isOpen) => isOpen || close()}>
      {what ? <ShareForm what={what} onClose={close} /> : null}
    </DialogWindow>
  );
}

/** Photos are made as small as this, the more of them the smaller. */
const [photoBytes, mostPhotoBytes] = [280_000, 2_800_000];

const sizeWords = (bytes: number): string => `about ${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`;

function ShareForm({ what: given, onClose }: { what: ShareWhat; onClose: () => void }) {
  const client = useClient();
  const [isWholeOwner, setWholeOwner] = useState(false);
  const [title, setTitle] = useState('');
  const [parts, setParts] = useState<readonly Part['name'][]>([]);
  const [photos, setPhotos] = useState<readonly number[]>([]);
  const [isBusy, setBusy] = useState(false);
  const one = 'ids' in given && !('list_id' in given) && given.ids?.length === 1 ? given.ids[0] : undefined;
  const what: ShareWhat = isWholeOwner && one !== undefined ? { owner_of: one } : given;
  const { data, error, refetch } = useRead('look_share', { what });
  if (error) return <ErrorState title="This cannot be shared" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton label="Looking at what there is" />;
  const flip = <Item,>(items: readonly Item[], item: Item, isOn: boolean) =>
    isOn ? [...items, item] : items.filter((other) => other !== item);
  const going = photos.filter((id) => data.photos.some((photo) => photo.photo_id === id));
  const save = async () => {
    setBusy(true);
    try {
      const heading = title.trim();
      const choice = { what, parts: [...parts], photos: going, ...(heading && { title: heading }) };
      const { notes, parcels, ...file } = await client.read('share_page', choice);
      saveFile(file);
      toast(withNotes(`${file.name}: ${plural(parcels, 'parcel', 'parcels')}.`, notes));
      onClose();
    } catch (problem) {
      toast(problem instanceof Error ? problem.message : String(problem));
    }
    setBusy(false);
  };
  return (
    <form
      className="dialog-form share-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p>
        One file with a map and the facts of {plural(data.parcels, 'parcel', 'parcels')}. It opens on any phone and asks
        no server for anything. Only what you tick goes along:
      </p>
      {one === undefined ? null : <Tick label="All land of this owner" isOn={isWholeOwner} onChange={setWholeOwner} />}
      <fieldset>
        <legend className="sr">Goes along</legend>
        {data.parts.map(({ name, label, docs, count, example }) => (
          <Tick
            key={name}
            label={
              <>
                {label} <span className="small-text quieter">{example === null ? docs : `like “${example}”`}</span>
              </>
            }
            isOn={parts.includes(name) && count > 0}
            disabled={count === 0}
            end={count === 0 ? 'none' : count}
            onChange={(isOn) => setParts(flip(parts, name, isOn))}
          />
        ))}
        {data.photos.map(({ photo_id: id, name, apn }) => (
          <Tick
            key={id}
            label={
              <>
                Photo <span className="small-text quieter">{[name, apn].filter(Boolean).join(', ')}</span>
              </>
            }
            isOn={photos.includes(id)}
            onChange={(isOn) => setPhotos(flip(photos, id, isOn))}
          />
        ))}
      </fieldset>
      <label>
        Heading
        <span className="field">
          <input
            maxLength={120}
            value={title}
            placeholder={data.parcels === 1 ? 'its APN' : plural(data.parcels, 'parcel', 'parcels')}
            onChange={(event) => setTitle(event.target.value)}
          />
        </span>
      </label>
      <div className="button-row">
        <span className="small-text quieter num">
          {sizeWords(data.bytes + Math.min(mostPhotoBytes, going.length * photoBytes))}, free
        </span>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={isBusy}>
          {isBusy ? 'Writing …' : 'Save the page'}
        </button>
      </div>
    </form>
  );
}
