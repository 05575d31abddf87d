/** The user's notes on the parcel with their dates; tags, lists, letters. */
import { MailX, NotebookPen, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { useMarks } from '../../field/use-marks.ts';
import { showList } from '../../lists/list-state.ts';
import { formatDate, formatTime } from '../../parts/format.ts';
import { IconButton } from '../../parts/hint.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { useClient, useLate, useRead } from '../../state/client-context.tsx';
import { focusNow } from '../../state/focus-place.ts';
import { goTo, navigation } from '../../state/navigation.ts';
import { VisitButton } from '../../visits/visit-dialog.tsx';
import { makeChange } from '../../work/make-change.ts';
import { useDraft } from '../../work/note-drafts.ts';
import { PhotoView } from '../../work/photo-view.tsx';
import { TagChip } from '../../work/tag-chip.tsx';
import type { DetailTabProps } from './detail-tabs.tsx';

type Work = ReadOutputOf<'parcel_work'>;
type Note = Work['notes'][number];

export function NotesTab({ open: { parcel } }: DetailTabProps) {
  const id = parcel.property_id;
  const { data, error, isPending, isPlaceholderData, refetch } = useRead('parcel_work', { id }, { isLasting: true });
  const isSlow = useLate(isPending);
  if (error) return <ErrorState title="The notes could not be read" error={error} onRetry={() => void refetch()} />;
  if (!data || isPlaceholderData) return isSlow ? <Skeleton label="Reading the notes" /> : null;
  return (
    <div className="notes">
      <NewNote propertyId={id} isFirst={data.notes.length === 0} />
      {data.notes.length === 0 ? null : (
        <ul className="note-list" aria-label="Notes">
          {data.notes.map((note) => (
            <OneNote key={note.note_id} note={note} />
          ))}
        </ul>
      )}
      <ParcelPhotos propertyId={id} />
      <div className="facts">
        <div className="line">
          <VisitButton propertyId={id} apn={parcel.apn || `parcel ${id}`} />
        </div>
      </div>
      <Tags propertyId={id} work={data} />
      <OnLists work={data} />
      <Mail
        propertyId={id}
        work={data}
        hasAddress={Boolean(parcel.mailing_address)}
        hasOwner={Boolean(parcel.owner_name)}
      />
    </div>
  );
}

const isSend = (event: React.KeyboardEvent): boolean => event.key === 'Enter' && (event.ctrlKey || event.metaKey);

function NewNote({ propertyId, isFirst }: { propertyId: number; isFirst: boolean }) {
  const client = useClient();
  const draft = useDraft(`new ${propertyId}`);
  const text = draft.text ?? '';
  const add = () =>
    draft.send(
      async (note) => (await makeChange(client, 'add_note', { property_id: propertyId, text: note })) !== null,
    );
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (isSend(event)) void add();
    if (event.key !== 'Escape') return;
    // Leaves only the field; the next Escape closes the parcel.
    event.stopPropagation();
    focusNow('detail');
  };
  return (
    <div className="new-note">
      <label className="field area">
        <span className="sr">New note</span>
        <textarea
          rows={3}
          maxLength={20_000}
          data-focus="note"
          value={text}
          placeholder={isFirst ? 'No notes yet. What should you remember about this parcel?' : 'A note on this parcel'}
          onChange={(event) => draft.set(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <div className="line">
        <span className="small-text quieter grow">Ctrl Enter saves it; it stays on this computer.</span>
        <button
          type="button"
          className="button"
          aria-busy={draft.isSent}
          disabled={text.trim() === ''}
          onClick={() => void add()}
        >
          <NotebookPen aria-hidden />
          Add note
        </button>
      </div>
    </div>
  );
}

const moment = (at: string): string => `${formatDate(at)}, ${formatTime(at)}`;

function OneNote({ note }: { note: Note }) {
  const client = useClient();
  const { text: draft, isSent, set, drop, send } = useDraft(`edit ${note.note_id}`);
  // An earlier draft does not take the focus.
  const [isJustBegun, setJustBegun] = useState(false);
  const edit = () => {
    setJustBegun(true);
    set(note.text);
  };
  const keep = () =>
    send(async (text) => (await makeChange(client, 'edit_note', { note_id: note.note_id, text })) !== null);
  if (draft !== null) {
    return (
      <li>
        <label className="field area">
          <span className="sr">Note of {moment(note.made_at)}</span>
          <textarea
            // biome-ignore lint/a11y/noAutofocus: the user just pressed Edit
            autoFocus={isJustBegun}
            rows={4}
            maxLength={20_000}
            value={draft}
            onChange={(event) => set(event.target.value)}
            onKeyDown={(event) => {
              if (isSend(event)) void keep();
              if (event.key !== 'Escape') return;
              event.stopPropagation();
              drop();
            }}
          />
        </label>
        <div className="line">
          <span className="grow" />
          <button type="button" className="button" onClick={drop}>
            Cancel
          </button>
          <button
            type="button"
            className="button primary"
            aria-busy={isSent}
            disabled={draft.trim() === ''}
            onClick={() => void keep()}
          >
            Keep
          </button>
        </div>
      </li>
    );
  }
  return (
    <li>
      <div className="line">
        <span className="small-text quieter grow num">
          {moment(note.made_at)}
          {note.changed_at === null ? '' : `, changed ${moment(note.changed_at)}`}
        </span>
        <IconButton label="Edit the note" onPress={edit}>
          <Pencil aria-hidden className="small" />
        </IconButton>
        <IconButton
          label="Delete the note"
          onPress={() => void makeChange(client, 'delete_note', { note_id: note.note_id })}
        >
          <Trash2 aria-hidden className="small" />
        </IconButton>
      </div>
      <p className="note-text">{note.text}</p>
    </li>
  );
}

function Tags({ propertyId, work }: { propertyId: number; work: Work }) {
  const client = useClient();
  return (
    <section className="facts" aria-label="Tags">
      <h3>Tags</h3>
      <div className="line wrap">
        {work.tags.map(({ tag_id: tag, name, color }) => (
          <TagChip
            key={tag}
            name={name}
            color={color}
            onRemove={() => void makeChange(client, 'untag', { tag_id: tag, ids: [propertyId] })}
          />
        ))}
        <button type="button" className="button" onClick={() => navigation.set({ over: 'tag' })}>
          {work.tags.length === 0 ? 'Add a tag' : 'Tags'} <kbd>G</kbd>
        </button>
      </div>
    </section>
  );
}

function OnLists({ work: { lists } }: { work: Work }) {
  return (
    <section className="facts" aria-label="Lists">
      <h3>Lists</h3>
      {lists.length === 0 ? <p className="quieter">Not on any list.</p> : null}
      <ul>
        {lists.map(({ list_id: id, name, mailed_on: mailed }) => (
          <li key={id} className="line">
            <button
              type="button"
              className="link grow"
              onClick={() => {
                showList({ kind: 'list', id });
                goTo('lists');
              }}
            >
              {name}
            </button>
            <span className="quieter num">{mailed === null ? 'not mailed' : `mailed ${formatDate(mailed)}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface MailProps {
  readonly propertyId: number;
  readonly work: Work;
  readonly hasAddress: boolean;
  readonly hasOwner: boolean;
}

function Mail({ propertyId, work: { do_not_mail: entries }, hasAddress, hasOwner }: MailProps) {
  const client = useClient();
  const add = (by: 'address' | 'owner') =>
    void makeChange(client, 'do_not_mail_add', { property_id: propertyId, by: [by] });
  const isBy = (key: 'by_address' | 'by_owner') => entries.some((entry) => entry[key]);
  return (
    <section className="facts" aria-label="Do not mail">
      <h3>Letters</h3>
      {entries.map((entry) => (
        <div key={entry.do_not_mail_id} className="line">
          <span className="tag bad">Do not mail</span>
          <span className="grow quieter">
            {entry.by_address ? 'this address' : 'this name, at any address'}, since {formatDate(entry.added_at)}
          </span>
          <button
            type="button"
            className="button quiet"
            onClick={() => void makeChange(client, 'do_not_mail_remove', { do_not_mail_id: entry.do_not_mail_id })}
          >
            Take off
          </button>
        </div>
      ))}
      <div className="line wrap">
        {hasAddress && !isBy('by_address') ? (
          <button type="button" className="button" onClick={() => add('address')}>
            <MailX aria-hidden />
            Never mail this address
          </button>
        ) : null}
        {hasOwner && !isBy('by_owner') ? (
          <button type="button" className="button" onClick={() => add('owner')}>
            <MailX aria-hidden />
            Never mail this name
          </button>
        ) : null}
        {hasAddress || hasOwner || entries.length > 0 ? null : (
          <p className="quieter">Neither owner nor address is published, so there is no owner to leave out.</p>
        )}
      </div>
    </section>
  );
}

/** Photos from the field that lie on a parcel, each opened by its name. */
function ParcelPhotos({ propertyId }: { propertyId: number }) {
  const photos = useMarks().photos.filter((photo) => photo.property_id === propertyId);
  const [shown, setShown] = useState<number | null>(null);
  if (photos.length === 0) return null;
  return (
    <section className="facts" aria-label="Photos">
      <h3>Photos</h3>
      <ul>
        {photos.map((photo) => (
          <li key={photo.photo_id}>
            <button
              type="button"
              className="link"
              aria-expanded={shown === photo.photo_id}
              onClick={() => setShown(shown === photo.photo_id ? null : photo.photo_id)}
            >
              {photo.name}
            </button>
            {shown === photo.photo_id ? <PhotoView photo={photo} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
