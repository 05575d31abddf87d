/** For contacts and comps: the column that each field is read from, why, and the first rows as they will be kept. */

import { ArrowRight } from 'lucide-react';
import type { ListField, ListProposal } from '../../engine/work/import-answers.ts';
import { plural } from '../parts/format.ts';
import { plainOptions, Select } from '../parts/select.tsx';
import { Tick } from '../parts/tick.tsx';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { GroupedRows } from './grouped-rows.tsx';
import { listNameOf, proposeList, startRun } from './import-flow.ts';
import { importing } from './import-state.ts';
import { Foot, NextButtons } from './parts.tsx';

export function ListMapStep() {
  const client = useClient();
  const { list, busy, isSaving } = useStore(importing);
  if (list === null) return null;
  return (
    <>
      <div className="import-body">
        <div className="import-main scroll">
          <FieldTable list={list} />
        </div>
        <aside className="import-aside scroll" aria-label="What becomes of it">
          <FirstRows list={list} />
          {list.unused.length > 0 ? (
            <section>
              <h3>Not used</h3>
              <p className="quieter">{list.unused.map(({ name }) => name).join(', ')}</p>
            </section>
          ) : null}
          {list.left_out === null ? null : (
            <section>
              <h3>Not read</h3>
              <p>{list.left_out}</p>
            </section>
          )}
          {list.profile === null ? (
            <section>
              <Tick
                label={`Save as “${listNameOf(list.file)}” for the next file`}
                isOn={isSaving}
                onChange={(isOn) => importing.set({ isSaving: isOn })}
              />
            </section>
          ) : null}
        </aside>
      </div>
      <Foot
        back={
          <button type="button" className="button quiet" onClick={() => importing.set({ step: 'look', error: null })}>
            Back
          </button>
        }
        words={list.lack === null ? 'Nothing is written before the run.' : `Still needed: ${list.lack}.`}
      >
        <NextButtons isReady={busy === null && list.lack === null} onNext={() => void startRun(client)}>
          <ArrowRight aria-hidden />
          Import
        </NextButtons>
      </Foot>
    </>
  );
}

const groups = [
  { id: 'read', title: 'Read from the file' },
  { id: 'free', title: 'From no column' },
] as const;

const shownFree = 8;

function FieldTable({ list }: { list: ListProposal }) {
  return (
    <>
      {list.profile === null ? null : (
        <p className="import-notes">
          Recognised: <b className="medium">{list.profile}</b>
        </p>
      )}
      <table className="import-table map-table stacked">
        <thead>
          <tr>
            <th>Field</th>
            <th>Column in the file</th>
            <th>First value</th>
            <th>Why</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ id, title }) => (
            <GroupedRows
              key={id}
              title={title}
              width={4}
              rows={list.fields.filter(({ source }) => (source !== null) === (id === 'read'))}
              {...(id === 'free' ? { shownAtFirst: shownFree } : {})}
              moreWords={(more) => plural(more, 'more field', 'more fields')}
            >
              {(field) => <FieldLine key={field.field} field={field} list={list} />}
            </GroupedRows>
          ))}
        </tbody>
      </table>
    </>
  );
}

function FieldLine({ field, list }: { field: ListField; list: ListProposal }) {
  const client = useClient();
  const { listChoices } = useStore(importing);
  const { field: name, label, source, sample, reason, options } = field;
  const names = options ?? list.columns;
  return (
    <tr>
      <td>{label}</td>
      <td className="whole">
        <div className="field goes-to">
          <Select
            aria-label={`${label} is read from`}
            value={source ?? ''}
            options={plainOptions(names)}
            onChange={(heading) => void proposeList(client, { ...listChoices, [name]: heading })}
          >
            {options ? null : <option value="">nothing</option>}
            {source !== null && !names.includes(source) ? <option value={source}>{source}</option> : null}
          </Select>
        </div>
      </td>
      <td className="quieter num ellipsis" title={sample ?? undefined}>
        {sample ?? ''}
      </td>
      <td className="quieter">{source === null ? '' : (reason ?? 'as you say')}</td>
    </tr>
  );
}

const FirstRows = ({ list: { first } }: { list: ListProposal }) => (
  <section data-testid="first-rows">
    <h3>First rows, as they will be kept</h3>
    {first.length === 0 ? <p className="quieter">Shown once nothing is lacking.</p> : null}
    <ol className="first-rows">
      {first.map((words, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file may be alike; their order is their name
        <li key={at}>{words}</li>
      ))}
    </ol>
  </section>
);
