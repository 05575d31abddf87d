/** The report of a visit to a parcel: its day, the form, photos and tracks, what may go out; kept, and printed as PDF. */
import { Printer } from 'lucide-react';
import { type InputHTMLAttributes, useId, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { bytesWords } from '../../engine/spec/bytes-words.ts';
import type { Visit } from '../../engine/spec/visits.ts';
import { madeBook } from '../book/book-state.ts';
import { MadePdfButtons } from '../export/made-pdf.tsx';
import { useMarks } from '../field/use-marks.ts';
import { DialogWindow } from '../frame/overlay.tsx';
import { endingWords } from '../import/ending-words.ts';
import { cancelJob, JobProgressView } from '../import/job-progress.tsx';
import { isUnderWay, refreshJobs, useJobs } from '../import/use-jobs.ts';
import { formatDate, plural } from '../parts/format.ts';
import { Select } from '../parts/select.tsx';
import { Tick } from '../parts/tick.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { tried } from '../state/toasts.ts';
import { makeChange } from '../work/make-change.ts';
import { useVisit, type VisitsThere } from './use-visit.ts';

export function VisitButton({ propertyId, apn }: { readonly propertyId: number; readonly apn: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Printer aria-hidden />
        Visit report …
      </button>
      <DialogWindow title={`Visit to ${apn}`} isTitled isOpen={isOpen} onOpenChange={setOpen}>
        {isOpen ? <VisitForm propertyId={propertyId} /> : null}
      </DialogWindow>
    </>
  );
}

type Note = ReadOutputOf<'parcel_work'>['notes'][number];

function VisitForm({ propertyId }: { readonly propertyId: number }) {
  const draft = useRead('visit_draft', { parcels: [propertyId] }, { isLasting: true });
  const kept = useRead('visits', { property_id: propertyId }, { isLasting: true });
  const work = useRead('parcel_work', { id: propertyId }, { isLasting: true });
  const error = draft.error ?? kept.error ?? work.error;
  if (error) return <p className="problem">{error.message}</p>;
  if (!draft.data || !kept.data || !work.data) return <p role="status">Reading the field notes …</p>;
  const { visits, fields } = kept.data;
  return <Filled propertyId={propertyId} first={draft.data} kept={visits} fields={fields} notes={work.data.notes} />;
}

interface FilledProps extends VisitsThere {
  readonly fields: readonly string[];
  readonly notes: readonly Note[];
}

/** What goes out only if it is ticked, and what each tick shows. */
const ticks = [
  { name: 'photo_places', label: 'Places of photos, as numbers on the map' },
  { name: 'owners', label: 'Owner names' },
  { name: 'abutters', label: 'Abutters, acres and sources' },
  { name: 'mailing', label: 'Mailing addresses of abutters' },
] as const;

function Filled({ fields, notes, ...there }: FilledProps) {
  const client = useClient();
  const its = useVisit(there);
  const [jobId, setJobId] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { visit, set } = its;
  // A field that the form no longer has stays where it was filled in.
  const filledIn = (visit.answers ?? []).filter(({ text }) => text !== '').map(({ label }) => label);
  const answers = [...new Set([...fields, ...filledIn])].map(
    (label) => visit.answers?.find((one) => one.label === label) ?? { label, text: '', is_flagged: false },
  );
  const answer = (label: string, part: { text?: string; is_flagged?: boolean }) =>
    set({ answers: answers.map((one) => (one.label === label ? { ...one, ...part } : one)) });
  const print = async () => {
    const filled = { ...visit, answers };
    if (!(await its.keep(filled))) return;
    const { data } = await client.change('start_visit_report', filled);
    setJobId(data.job_id);
    await refreshJobs();
  };
  return (
    <form
      className="dialog-form visit-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isBusy) return;
        setBusy(true);
        void tried(print).then(() => setBusy(false));
      }}
    >
      <When its={its} there={there} />
      {answers.map(({ label, text, is_flagged: isFlagged = false }) => (
        <div key={label} className="visit-answer">
          <Text label={label} maxLength={2000} value={text} onChange={(next) => answer(label, { text: next })} />
          <Tick
            label={
              <>
                <span className="sr">{label} </span>to settle
              </>
            }
            isOn={isFlagged}
            onChange={(isOn) => answer(label, { is_flagged: isOn })}
          />
        </div>
      ))}
      <FieldsEditor fields={fields} />
      <label className="control">
        <span className="control-label">Findings</span>
        <span className="field area">
          <textarea
            rows={3}
            maxLength={10_000}
            value={visit.findings ?? ''}
            onChange={({ target }) => set({ findings: target.value })}
          />
        </span>
      </label>
      <Chosen visit={visit} all={its.all} notes={notes} onChange={set} />
      <Outcome jobId={jobId} />
      <div className="line dialog-buttons">
        <button type="submit" className="button primary" disabled={isBusy}>
          <Printer aria-hidden />
          Keep and print
        </button>
      </div>
    </form>
  );
}

/** Which visit, when, and by whom. */
function When({ its, there: { kept, first } }: { its: ReturnType<typeof useVisit>; there: VisitsThere }) {
  const daysId = useId();
  const { visit } = its;
  return (
    <>
      {kept.length === 0 ? null : (
        <label className="control">
          <span className="control-label">Visit</span>
          <span className="field">
            <Select
              value={its.visitId ?? ''}
              options={[
                { value: '', label: 'A new one' },
                ...kept.map(({ visit_id: id, visit: one }) => ({ value: id, label: visitWords(one) })),
              ]}
              onChange={(id) => void its.open(id === '' ? null : Number(id))}
            />
          </span>
        </label>
      )}
      <div className="line wrap">
        <Text
          label="Day"
          type="date"
          value={visit.day}
          list={daysId}
          required
          onChange={(day) => day !== '' && void its.moveTo(day)}
        />
        <datalist id={daysId}>
          {first.days.map((day) => (
            <option key={day} value={day} />
          ))}
        </datalist>
        <Text label="From" type="time" value={visit.started ?? ''} onChange={(at) => its.setTime('started', at)} />
        <Text label="To" type="time" value={visit.ended ?? ''} onChange={(at) => its.setTime('ended', at)} />
        <Text
          label="Visited by"
          maxLength={200}
          value={visit.visitor ?? ''}
          onChange={(visitor) => its.set({ visitor })}
        />
      </div>
    </>
  );
}

const visitWords = ({ day, started, visitor }: Visit): string =>
  [formatDate(day), started, visitor].filter(Boolean).join(', ');

interface ChosenProps {
  readonly visit: Visit;
  readonly all: Visit;
  readonly notes: readonly Note[];
  readonly onChange: (part: Partial<Visit>) => void;
}

/** Longer notes are cut on their tick, not on the page. */
const shownNote = 80;

/** The photos and the way of the day, and what else goes out. */
function Chosen({ visit, all, notes, onChange: set }: ChosenProps) {
  const { photos } = useMarks();
  const both = (name: 'photos' | 'tracks') => [...new Set([...(all[name] ?? []), ...(visit[name] ?? [])])];
  const [photoIds, tracks] = [both('photos'), both('tracks')];
  const noteIds = notes.map(({ note_id: id }) => id);
  /** In the order of what there is. */
  const flipped = (from: readonly number[], chosen: readonly number[] = [], id: number, isOn: boolean): number[] =>
    from.filter((one) => (one === id ? isOn : chosen.includes(one)));
  return (
    <>
      <fieldset>
        <legend>{plural(visit.photos?.length ?? 0, 'photo', 'photos')} of the day</legend>
        {photoIds.map((id) => {
          const photo = photos.find(({ photo_id: one }) => one === id);
          return (
            <Tick
              key={id}
              label={photo?.caption ?? photo?.name ?? String(id)}
              isOn={visit.photos?.includes(id) ?? false}
              onChange={(isOn) => set({ photos: flipped(photoIds, visit.photos, id, isOn) })}
            />
          );
        })}
        {tracks.length > 0 ? (
          <Tick
            label="The way walked"
            isOn={(visit.tracks?.length ?? 0) > 0}
            onChange={(isOn) => set({ tracks: isOn ? tracks : [] })}
          />
        ) : null}
      </fieldset>
      <fieldset>
        <legend>Goes out only if ticked</legend>
        {ticks.map(({ name, label }) => (
          <Tick
            key={name}
            label={label}
            isOn={visit[name] ?? false}
            disabled={name === 'mailing' && !visit.abutters}
            onChange={(isOn) => set({ [name]: isOn })}
          />
        ))}
        {notes.map(({ note_id: id, text }) => (
          <Tick
            key={id}
            label={`Note: ${text.length > shownNote ? `${text.slice(0, shownNote)} …` : text}`}
            isOn={visit.notes?.includes(id) ?? false}
            onChange={(isOn) => set({ notes: flipped(noteIds, visit.notes, id, isOn) })}
          />
        ))}
      </fieldset>
    </>
  );
}

interface TextProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

const Text = ({ label, onChange, ...rest }: TextProps) => (
  <label className={rest.type === undefined ? 'control grow' : 'control'}>
    <span className="control-label">{label}</span>
    <span className="field">
      <input {...rest} onChange={({ target }) => onChange(target.value)} />
    </span>
  </label>
);

/** The fields that every form has, a line each. */
function FieldsEditor({ fields }: { readonly fields: readonly string[] }) {
  const client = useClient();
  const [text, setText] = useState<string | null>(null);
  if (text === null)
    return (
      <button type="button" className="link" onClick={() => setText(fields.join('\n'))}>
        Change the fields of the form
      </button>
    );
  const labels = text.split('\n').filter((line) => line.trim() !== '');
  return (
    <div className="control">
      <label className="control">
        <span className="control-label">Fields, a line each</span>
        <span className="field area">
          <textarea rows={8} value={text} onChange={({ target }) => setText(target.value)} />
        </span>
      </label>
      <button
        type="button"
        className="button"
        onClick={async () => {
          if (await makeChange(client, 'set_visit_fields', { labels })) setText(null);
        }}
      >
        Keep the fields
      </button>
    </div>
  );
}

interface Report {
  readonly file: string;
  readonly bytes: number;
  readonly pages: number;
  readonly notes: readonly string[];
}

function Outcome({ jobId }: { readonly jobId: number | null }) {
  const client = useClient();
  const job = useJobs().find(({ job_id: id }) => id === jobId);
  if (!job) return null;
  if (isUnderWay(job)) return <JobProgressView job={job} onCancel={() => void cancelJob(client, job.job_id)} />;
  if (job.state !== 'done')
    return <p role="status">{job.state === 'cancelled' ? endingWords(job) : (job.error?.message ?? '')}</p>;
  const { file, bytes, pages, notes } = job.report as Report;
  const made = madeBook(file);
  if (!made) return null;
  return (
    <section aria-label="The report made last">
      <p role="status">
        <b className="strong">{made.name}</b>: {plural(pages, 'page', 'pages')}, {bytesWords(bytes)}. {notes.join(' ')}
      </p>
      <MadePdfButtons made={made} />
    </section>
  );
}
