/** A kept photo: its picture, or why there is none; the original to save, and the way to be rid of it. */
import { Download, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { formatDate } from '../parts/format.ts';
import { useClient } from '../state/client-context.tsx';
import { makeChange } from './make-change.ts';

export type KeptPhoto = ReadOutputOf<'field_marks'>['photos'][number];

type Original = { readonly url: string } | { readonly problem: string } | null;

/** Null while it is read. */
function useOriginal(id: number): Original {
  const client = useClient();
  const [original, setOriginal] = useState<Original>(null);
  useEffect(() => {
    const leaving = new AbortController();
    let url: string | null = null;
    client.photo(id, { signal: leaving.signal }).then(
      (photo) => {
        if (leaving.signal.aborted) return;
        url = URL.createObjectURL(photo);
        setOriginal({ url });
      },
      (error: Error) => leaving.signal.aborted || setOriginal({ problem: error.message }),
    );
    return () => {
      leaving.abort();
      if (url !== null) URL.revokeObjectURL(url);
      setOriginal(null);
    };
  }, [client, id]);
  return original;
}

/** A camera's clock has no zone: its day is the day written. */
const dayWords = ({ taken_at: taken, added_at: added }: KeptPhoto): string =>
  taken === null ? `added ${formatDate(added.slice(0, 10))}` : `taken ${formatDate(taken.slice(0, 10))}`;

/** A place that was worked out is never shown as if the photo had it. */
const placedByTime = ({ place_from: from, place_error_m: meters }: KeptPhoto): string =>
  from === 'track' ? `, placed by time, ± ${meters ?? 0} m` : '';

const undrawable = ({ media_type: type }: KeptPhoto): string =>
  type === 'image/heic'
    ? 'This browser cannot draw HEIC photos. The original is kept: save it and open it with another program.'
    : 'The picture cannot be drawn: it may be damaged. The original is kept as it was.';

export function PhotoView({ photo, onDeleted }: { readonly photo: KeptPhoto; readonly onDeleted?: () => void }) {
  const client = useClient();
  const original = useOriginal(photo.photo_id);
  const [isUndrawable, setUndrawable] = useState(false);
  const { photo_id: id, name, apn } = photo;
  const url = original && 'url' in original ? original.url : null;
  return (
    <figure className="photo-view">
      {original === null ? <p role="status">Reading {name} …</p> : null}
      {original && 'problem' in original ? <p className="problem">{original.problem}</p> : null}
      {url !== null && isUndrawable ? <p role="status">{undrawable(photo)}</p> : null}
      {url !== null && !isUndrawable ? <img src={url} alt={name} onError={() => setUndrawable(true)} /> : null}
      <figcaption>
        {name}, {apn ? `on ${apn}, ` : ''}
        {dayWords(photo)}
        {placedByTime(photo)}
      </figcaption>
      <Caption photo={photo} />
      <div className="photo-acts">
        {url === null ? null : (
          <a className="button" href={url} download={name}>
            <Download aria-hidden />
            Save the original
          </a>
        )}
        <button
          type="button"
          className="button"
          onClick={async () => {
            if (await makeChange(client, 'delete_photo', { photo_id: id })) onDeleted?.();
          }}
        >
          <Trash2 aria-hidden />
          Delete
        </button>
      </div>
    </figure>
  );
}

/** Written when the field is left, or with Enter. */
function Caption({ photo: { photo_id: id, caption } }: { readonly photo: KeptPhoto }) {
  const client = useClient();
  const [text, setText] = useState(caption ?? '');
  const keep = () => {
    if (text.trim() !== (caption ?? '')) void makeChange(client, 'caption_photo', { photo_id: id, caption: text });
  };
  return (
    <label className="control">
      <span className="control-label">What it shows</span>
      <span className="field">
        <input
          value={text}
          maxLength={200}
          onChange={({ target }) => setText(target.value)}
          onBlur={keep}
          onKeyDown={({ key }) => (key === 'Enter' ? keep() : undefined)}
        />
      </span>
    </label>
  );
}
