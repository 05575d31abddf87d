/** Maps the file's columns to those of the dictionary: a proposal with converted samples, which the user can change. */
import { ArrowRight } from 'lucide-react';
import { useEffect } from 'react';
import { columnLabel, formatPercent, plural } from '../parts/format.ts';
import { Tick } from '../parts/tick.tsx';
import { useClient, useLate, useRested } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { GroupedRows } from './grouped-rows.tsx';
import { previewColumns, proposeColumns, startDryRun } from './import-flow.ts';
import { importing, mainLayer } from './import-state.ts';
import { JoinSections } from './join-section.tsx';
import { MapLine } from './map-line.tsx';
import { groupOf, mappingOf, type RowGroup } from './mapping-rows.ts';
import { isOpen, OpenQuestions, questionsOf } from './open-questions.tsx';
import { Foot, NextButtons, Problem } from './parts.tsx';
import { WhereItLies } from './where-it-lies.tsx';
import { windowWords } from './window-words.ts';

export function MapStep() {
  const client = useClient();
  const state = useStore(importing);
  const { rows, busy, previewError } = state;
  const key = useRested(JSON.stringify([mappingOf(state), state.layer]), 250);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what the preview is of
  useEffect(() => void previewColumns(client), [client, key]);
  const hasApn = rows.some(({ target }) => target === 'apn');
  const waiting = rows.filter((row) => groupOf(row) === 'needs').length;
  const words = hasApn
    ? `${waiting === 0 ? '' : `${plural(waiting, 'column needs', 'columns need')} a look. `}Nothing is written before the run.`
    : 'No column is the parcel number (apn): parcels would be known by their shape alone.';
  const open = questionsOf(state).filter((question) => isOpen(state, question)).length;
  return (
    <>
      <div className="import-body">
        <div className="import-main scroll">
          <ProposalNotes />
          <OpenQuestions />
          {previewError ? <Problem error={previewError} /> : null}
          <MapTable />
        </div>
        <MapAside />
      </div>
      <Foot
        back={
          <button type="button" className="button quiet" onClick={() => importing.set({ step: 'look', error: null })}>
            Back
          </button>
        }
        words={open === 0 ? words : `${plural(open, 'question is', 'questions are')} open. ${words}`}
      >
        <NextButtons isReady={busy === null && mappingOf(state) !== null} onNext={() => void startDryRun(client)}>
          <ArrowRight aria-hidden />
          Dry run
        </NextButtons>
      </Foot>
    </>
  );
}

function ProposalNotes() {
  const client = useClient();
  const { proposal, savedMapping } = useStore(importing);
  const profile = savedMapping === null ? proposal?.profile : null;
  const notes = savedMapping === null ? (proposal?.notes ?? []) : [];
  if (!profile && notes.length === 0 && savedMapping === null) return null;
  return (
    <div className="import-notes">
      {savedMapping === null ? null : (
        <p>
          Your mapping of the last file is used, <span className="mono">{savedMapping}</span>.{' '}
          <button type="button" className="link" onClick={() => void proposeColumns(client, true)}>
            Guess again
          </button>
        </p>
      )}
      {profile ? (
        <p>
          Recognised: <b className="medium">{profile.title}</b>, {formatPercent(profile.score * 100, 0)} of its columns.{' '}
          <span className="quieter">{profile.document}</span>
        </p>
      ) : null}
      {notes.map((note) => (
        <p key={note} className="quieter">
          {windowWords(note)}
        </p>
      ))}
    </div>
  );
}

const groupTitles: Readonly<Record<RowGroup, string>> = {
  needs: 'Needs you',
  taken: 'Guessed from names and values',
  raw: 'Kept as they are, shown with the parcel',
};

const groups: readonly RowGroup[] = ['needs', 'taken', 'raw'];
const rawShown = 6;

function MapTable() {
  const { rows, proposal, savedMapping } = useStore(importing);
  const titleOf = (group: RowGroup): string => {
    if (group !== 'taken' || (!proposal?.profile && savedMapping === null)) return groupTitles[group];
    return savedMapping === null ? 'From the profile' : 'From your mapping';
  };
  return (
    <table className="import-table map-table stacked">
      <thead>
        <tr>
          <th>Column in the file</th>
          <th>Samples</th>
          <th>Goes to</th>
          <th>Read as</th>
          <th>Confidence</th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <GroupedRows
            key={group}
            title={titleOf(group)}
            width={5}
            rows={rows.filter((row) => groupOf(row) === group)}
            {...(group === 'raw' ? { shownAtFirst: rawShown } : {})}
            moreWords={(more) => plural(more, 'more raw column', 'more raw columns')}
          >
            {(row) => <MapLine key={row.id} row={row} needs={group === 'needs'} />}
          </GroupedRows>
        ))}
      </tbody>
    </table>
  );
}

/** The columns that most users check first, in this order. */
const firstShown = [
  'apn',
  'owner_name',
  'acres',
  'situs_address',
  'mailing_address',
  'mailing_zip',
  'last_sale_date',
  'last_sale_price',
  'market_total_value',
  'assessed_total_value',
  'year_built',
];

function MapAside() {
  const state = useStore(importing);
  const { fips, preview, isTrying, isSaving, jurisdiction, base, rows, savedMapping } = state;
  const isLate = useLate(isTrying);
  const layer = mainLayer(state);
  const names = Object.keys(preview?.first ?? {});
  // First the line just changed by hand, then the most important columns.
  const byHand = savedMapping === null ? rows.flatMap((row) => (row.confidence === null && row.target) || []) : [];
  const shown = [...new Set([...byHand, ...firstShown, ...names])].filter((name) => names.includes(name)).slice(0, 9);
  return (
    <aside className="import-aside scroll" aria-label="What becomes of it">
      <section>
        <h3>Where it lies</h3>
        <WhereItLies fips={fips} bounds={layer?.bounds ?? null} />
      </section>
      {preview ? (
        <section data-testid="first-row" aria-busy={isTrying}>
          <h3>First row, as it will be kept {isLate ? <span className="quietest">being read again …</span> : null}</h3>
          <dl className="first-row">
            {shown.map((name) => (
              <FirstValue key={name} name={name} value={preview.first[name] ?? null} />
            ))}
            {preview.calculated_acres === null ? null : (
              <FirstValue name="calculated_acres" value={preview.calculated_acres} />
            )}
          </dl>
        </section>
      ) : isLate ? (
        <section>
          <p className="quieter">Reading the first rows …</p>
        </section>
      ) : null}
      <JoinSections />
      <section>
        <Tick
          label={`Save for ${jurisdiction || base?.jurisdiction || 'this county'}’s next file`}
          isOn={isSaving}
          onChange={(isOn) => importing.set({ isSaving: isOn })}
        />
      </section>
    </aside>
  );
}

const FirstValue = ({ name, value }: { name: string; value: string | number | null }) => (
  <div>
    <dt className="ellipsis">{columnLabel(name)}</dt>
    <dd className="num ellipsis" title={value === null ? undefined : String(value)}>
      {value === null ? <span className="null">unknown</span> : String(value)}
    </dd>
  </div>
);
