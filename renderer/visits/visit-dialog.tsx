/** The report of a visit to a parcel: its day, the form, photos and tracks, what may go out; kept, and printed as PDF. */
import { BookOpen, FileDown, Printer } from 'lucide-react';
import { useState } from 'react';
import { bytesWords } from '../../engine/spec/bytes-words.ts';
import type { Visit } from '../../engine/spec/visits.ts';
import { madeBook } from '../book/book-state.ts';
import { openPdf } from '../export/open-pdf.ts';
import { saveFile } from '../export/save-file.ts';
import { useMarks } from '../field/use-marks.ts';
import { DialogWindow } from '../frame/overlay.tsx';
import { endingWords } from '../import/ending-words.ts';
import { cancelJob, JobProgressView } from '../import/job-progress.tsx';
import { isUnderWay, refreshJobs, useJobs } from '../import/use-jobs.ts';
import { formatDate, plural } from '../parts/format.ts';
import { Select } from '../parts/select.tsx';
import { Tick } from '../parts/tick.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { toast } from '../state/toasts.ts';
import { makeChange } from '../work/make-change.ts';

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

function VisitForm({ propertyId }: { readonly propertyId: number }) {
  const [day, setDay] = useState<string | undefined>(undefined);
  const input = { parcels: [propertyId], ...(day !== undefined && { day }) };
  const { data, error } = useRead('visit_draft', input, { isLasting: true });
  const { data: kept } = useRead('visits', { property_id: propertyId }, { isLasting: true });
  if (error) return <p className="problem">{error.message}</p>;
  if (!data || !kept) return <p role="status">Reading the field notes …</p>;
  const known = kept.visits.find(({ visit }) => visit.day === data.visit.day);
  return (
    <Filled
      key={`${data.visit.day} ${kept.fields.join('\n')}`}
      days={data.days}
      fields={kept.fields}
      start={known ? { ...known.visit } : data.visit}
      all={data.visit}
      visitId={known?.visit_id ?? null}
      onDay={setDay}
    />
  );
}

interface FilledProps {
  readonly days: readonly string[];
  readonly fields: readonly string[];
  readonly start: Visit;
  /** With all photos and tracks of the day. */
  readonly all: Visit;
  readonly visitId: number | null;
  readonly onDay: (day: string) => void;
}

/** What goes out only if it is ticked, and what each tick shows. */
const ticks = [
  { name: 'owners', label: 'Owners’ names' },
  { name: 'abutters', label: 'Abutters, acres and sources' },
  { name: 'mailing', label: 'Abutters’ mailing addresses' },
] as const;

function Filled({ days, fields, start, all, visitId, onDay }: FilledProps) {
  const client = useClient();
  const [visit, setVisit] = useState(start);
  const [jobId, setJobId] = useState<number | null>(null);
  const set = (part: Partial<Visit>) => setVisit({ ...visit, ...part });
  const answers = fields.map(
    (label) => visit.answers?.find((one) => one.label === label) ?? { label, text: '', is_flagged: false },
  );
  const answer = (label: string, part: { text?: string; is_flagged?: boolean }) =>
    set({ answers: answers.map((one) => (one.label === label ? { ...one, ...part } : one)) });
  const filled: Visit = { ...visit, answers };
  const print = async () => {
    if (!(await makeChange(client, 'keep_visit', { ...filled, ...(visitId !== null && { visit_id: visitId }) })))
      return;
    try {
      const { data } = await client.change('start_visit_report', filled);
      setJobId(data.job_id);
      await refreshJobs();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  };
  const choices = [...new Set([visit.day, ...days])];
  return (
    <form
      className="dialog-form visit-form"
      onSubmit={(event) => {
        event.preventDefault();
        void print();
      }}
    >
      <div className="line wrap">
        <label className="control">
          <span className="control-label">Day</span>
          <span className="field">
            <Select
              value={visit.day}
              options={choices.map((day) => ({ value: day, label: formatDate(day) }))}
              onChange={onDay}
            />
          </span>
        </label>
        <Text label="Visited by" value={visit.visitor ?? ''} onChange={(visitor) => set({ visitor })} />
      </div>
      {answers.map(({ label, text, is_flagged: isFlagged = false }) => (
        <div key={label} className="visit-answer">
          <Text label={label} value={text} onChange={(next) => answer(label, { text: next })} />
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
        <span className="field">
          <textarea
            rows={3}
            maxLength={10_000}
            value={visit.findings ?? ''}
            onChange={({ target }) => set({ findings: target.value })}
          />
        </span>
      </label>
      <Chosen visit={visit} all={all} onChange={set} />
      <Outcome jobId={jobId} />
      <div className="line dialog-buttons">
        <button type="submit" className="button primary">
          <Printer aria-hidden />
          Keep and print
        </button>
      </div>
    </form>
  );
}

interface ChosenProps {
  readonly visit: Visit;
  readonly all: Visit;
  readonly onChange: (part: Partial<Visit>) => void;
}

/** The photos and the way of the day, and what else goes out. */
function Chosen({ visit, all, onChange: set }: ChosenProps) {
  const { photos } = useMarks();
  const without = (list: readonly number[] | undefined, id: number, isOn: boolean): number[] => {
    const chosen = new Set([...(list ?? []), ...(isOn ? [id] : [])]);
    if (!isOn) chosen.delete(id);
    return (all.photos ?? []).filter((one) => chosen.has(one));
  };
  return (
    <>
      <fieldset>
        <legend>{plural(visit.photos?.length ?? 0, 'photo', 'photos')} of the day</legend>
        {(all.photos ?? []).map((id) => {
          const photo = photos.find(({ photo_id: one }) => one === id);
          return (
            <Tick
              key={id}
              label={photo?.caption ?? photo?.name ?? String(id)}
              isOn={visit.photos?.includes(id) ?? false}
              onChange={(isOn) => set({ photos: without(visit.photos, id, isOn) })}
            />
          );
        })}
        {all.tracks?.length ? (
          <Tick
            label="The way walked"
            isOn={(visit.tracks?.length ?? 0) > 0}
            onChange={(isOn) => set({ tracks: isOn ? (all.tracks ?? []) : [] })}
          />
        ) : null}
      </fieldset>
      <fieldset>
        <legend>Goes out only if ticked</legend>
        {ticks.map(({ name, label }) => (
          <Tick key={name} label={label} isOn={visit[name] ?? false} onChange={(isOn) => set({ [name]: isOn })} />
        ))}
      </fieldset>
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

const Text = ({ label, value, onChange }: TextProps) => (
  <label className="control grow">
    <span className="control-label">{label}</span>
    <span className="field">
      <input value={value} maxLength={200} onChange={({ target }) => onChange(target.value)} />
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
        <span className="field">
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
      <div className="line">
        <button type="button" className="button" onClick={() => openPdf(made.id)}>
          <BookOpen aria-hidden />
          Open
        </button>
        <button type="button" className="button" onClick={() => saveFile(made)}>
          <FileDown aria-hidden />
          Save …
        </button>
      </div>
    </section>
  );
}
