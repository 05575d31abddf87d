/** A photo: a chosen file, kept on the parcel where it was taken; one that does not say where is asked about. */
import { ImageUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ChangeInputOf } from '../../engine/work/index.ts';
import { ClientError } from '../client/engine-client.ts';
import { explore } from '../explore/explore-state.ts';
import { base64Of } from '../parts/base64.ts';
import { useClient, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { tryChange } from '../work/make-change.ts';
import { closerOfSheet, closeSheet, field } from './field-state.ts';
import type { SheetProps } from './sheets.tsx';

type Asked = Pick<ChangeInputOf<'add_photo'>, 'property_id' | 'longitude' | 'latitude'>;

export function PhotoSheet({ found }: SheetProps) {
  const client = useClient();
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isKeeping, setKeeping] = useState(false);
  const keep = async (chosen: File, place: Asked) => {
    if (isKeeping) return;
    setProblem(null);
    setKeeping(true);
    try {
      const close = closerOfSheet();
      const bytes = await base64Of(chosen);
      await tryChange(client, 'add_photo', { bytes, name: chosen.name, ...place }, close);
    } catch (error) {
      if (error instanceof ClientError && error.details?.place) setFile(chosen);
      else setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setKeeping(false);
    }
  };
  const failure = problem ? <p className="problem">{problem}</p> : null;
  if (file)
    return (
      <>
        <WithoutPlace file={file} found={found} onPlace={(place) => keep(file, place)} />
        {failure}
      </>
    );
  return (
    <>
      <label className="button primary field-choose" data-busy={isKeeping}>
        <ImageUp aria-hidden />
        {isKeeping ? 'Keeping it …' : 'Choose a photo …'}
        <input
          type="file"
          className="sr"
          data-first
          accept="image/jpeg,image/png,image/heic,image/heif"
          onChange={({ target }) => {
            const chosen = target.files?.[0];
            // The same file may be chosen once more.
            target.value = '';
            if (chosen) void keep(chosen, {});
          }}
        />
      </label>
      <p>It is kept as it is, on the parcel where it was taken. Nothing leaves this computer.</p>
      {failure}
    </>
  );
}

interface WithoutPlaceProps extends Pick<SheetProps, 'found'> {
  readonly file: File;
  readonly onPlace: (place: Asked) => void;
}

function WithoutPlace({ file, found, onPlace }: WithoutPlaceProps) {
  const choices = useRef<HTMLDivElement>(null);
  // The file's field, which had the focus, is gone.
  useEffect(() => choices.current?.querySelector('button')?.focus(), []);
  const { place } = useStore(field);
  const { selected } = useStore(explore);
  const { data } = useRead('parcel', { id: selected ?? 0 }, { when: selected !== null, isLasting: true });
  const here = found.parcel ?? null;
  const chosen =
    selected !== null && selected !== here?.property_id && data?.parcel.property_id === selected
      ? { property_id: selected, apn: String(data.parcel.apn ?? '') }
      : null;
  const parcels = [here, chosen].filter((one) => one !== null);
  return (
    <>
      <p role="status">
        {file.name} does not say where it was taken.{' '}
        {parcels[0] ? `Put it on ${nameOf(parcels[0])}?` : 'Put it where you pressed?'}
      </p>
      <div ref={choices} className="field-choices">
        {parcels.map((parcel, i) => (
          <button
            key={parcel.property_id}
            type="button"
            className={`button ${i === 0 ? 'primary' : ''}`}
            onClick={() => onPlace({ property_id: parcel.property_id })}
          >
            On {nameOf(parcel)}
          </button>
        ))}
        {place ? (
          <button
            type="button"
            className="button"
            onClick={() => onPlace({ longitude: place.longitude, latitude: place.latitude })}
          >
            {place.accuracyMeters === null ? 'Under the cross' : 'Where I pressed'}
          </button>
        ) : null}
        <button type="button" className="button" onClick={closeSheet}>
          Do not keep it
        </button>
      </div>
    </>
  );
}

const nameOf = ({ apn, property_id: id }: { apn: string; property_id: number }): string => apn || `Parcel ${id}`;
