/** How each table finds its parcels, and which of several rows counts; chosen by hand where nothing was found. */

import { useState } from 'react';
import { type AccountChoice, accountChoices, accountWords } from '../../engine/spec/accounts.ts';
import { fillPercent } from '../../engine/spec/import-checks.ts';
import { joinRowsExample, joinRowsText, parseJoinRows } from '../../engine/spec/join-rows.ts';
import { joinsOf, tablePrefix, withoutTable } from '../../engine/spec/table-names.ts';
import type { Expression, MappingJoin } from '../../engine/work/import-answers.ts';
import { plural } from '../parts/format.ts';
import { Select } from '../parts/select.tsx';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { Choice, Words } from './fields.tsx';
import { proposeJoined } from './import-flow.ts';
import { fileName, importing, mainLayer, tableLooks } from './import-state.ts';

export function JoinSections() {
  const state = useStore(importing);
  const tables = tableLooks(state);
  return (
    <>
      {tables.map(({ path }, place) => (
        <JoinSection key={path} place={place} name={fileName(path)} isOneOfMany={tables.length > 1} />
      ))}
      {tables.length > 0 ? <AccountsField /> : null}
    </>
  );
}

/** What becomes of a roll's rows that no parcel has: a condominium's units, homes in a park. */
function AccountsField() {
  const { base } = useStore(importing);
  const choose = (accounts: AccountChoice) =>
    importing.set({ base: { name: 'chosen', columns: {}, ...base, accounts } });
  return (
    <section>
      <Choice
        label="Rows without a parcel"
        value={base?.accounts ?? accountChoices[0]}
        choices={accountChoices.map((choice) => ({ value: choice, label: accountWords[choice] }))}
        onChange={(choice) => choose(choice as AccountChoice)}
      />
    </section>
  );
}

const empty: MappingJoin = { parcel: '', table: '' };

/** The columns of a key that was put together by click; null: a rule of the mapping, which the fields cannot say. */
function keyColumns(key: Expression): readonly string[] | null {
  if (typeof key === 'string') return [key];
  const { concat, separator, ...others } = key;
  const isPlain = concat?.every((part) => typeof part === 'string') && separator === ' ';
  return isPlain && Object.keys(others).length === 0 ? (concat as readonly string[]) : null;
}

function keyOf(columns: readonly string[]): Expression {
  const [only = ''] = columns;
  return columns.length < 2 ? only : { concat: columns, separator: ' ' };
}

function JoinSection({ place, name, isOneOfMany }: { place: number; name: string; isOneOfMany: boolean }) {
  const client = useClient();
  const state = useStore(importing);
  const { base, proposal, preview } = state;
  const joins = joinsOf(base ?? {});
  const join = joins[place] ?? empty;
  const tried = preview?.joins[place] ?? proposal?.joins[place];
  const keep = (changed: MappingJoin) => {
    const after = Array.from({ length: Math.max(joins.length, place + 1) }, (_, at) => joins[at] ?? empty);
    after[place] = changed;
    importing.set({ base: { name: 'chosen', columns: {}, ...base, join: after } });
  };
  const set = (change: Partial<MappingJoin>) => {
    keep({ ...join, ...change });
    proposeJoined(client);
  };
  const setRows = (rows: MappingJoin['rows']) => {
    const { rows: _before, ...others } = join;
    keep(rows === undefined ? others : { ...others, rows });
  };
  const prefix = tablePrefix(place);
  const names = {
    parcel: (mainLayer(state)?.columns ?? []).map((column) => column.name),
    table: (tableLooks(state)[place]?.layers[0]?.columns ?? []).map((column) => prefix + column.name),
  };
  return (
    <section aria-label={`How ${name} is joined`}>
      <h3>{isOneOfMany ? name : 'The table'} is joined by</h3>
      <KeyFields
        label="Columns of the parcels"
        names={names.parcel}
        value={join.parcel}
        onChange={(parcel) => set({ parcel })}
      />
      <KeyFields
        label="Columns of the table"
        names={names.table}
        value={join.table}
        onChange={(table) => set({ table })}
      />
      <p className="quieter">
        {tried === undefined
          ? 'The table is not used yet. Choose the columns that name a parcel in both, one or several.'
          : `${fillPercent(tried.share, 1)} of the first parcels find a row.`}
      </p>
      {tried === undefined ? null : <RowsField several={tried.several} value={join.rows} onChange={setRows} />}
    </section>
  );
}

interface KeyProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly value: Expression;
  readonly onChange: (key: Expression) => void;
}

/** One column, or several whose values together are the key. */
function KeyFields({ label, names, value, onChange }: KeyProps) {
  const columns = keyColumns(value);
  const fields = columns ?? ['$rule'];
  const options = names.map((name) => ({ value: name, label: withoutTable(name) }));
  const change = (at: number, name: string) =>
    onChange(keyOf((columns ?? ['']).flatMap((before, index) => (index === at ? name || [] : before))));
  return (
    <fieldset className="aside-field">
      <legend className="quieter">{label}</legend>
      {fields.map((field, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields have no other identity than their place
        <span className="field" key={at}>
          <Select
            aria-label={at === 0 ? label : `${label}, part ${at + 1}`}
            value={field}
            options={options}
            onChange={(name) => change(at, name)}
          >
            <option value="" disabled={at === 0}>
              {at === 0 ? 'not yet known' : 'no more columns'}
            </option>
            {columns === null ? <option value="$rule">by a rule of the mapping</option> : null}
          </Select>
        </span>
      ))}
      {columns === null || columns[0] === '' ? null : (
        <span className="field">
          <Select
            aria-label={`${label}, and`}
            value=""
            options={options.filter(({ value }) => !columns.includes(value))}
            onChange={(name) => onChange(keyOf([...columns, name]))}
          >
            <option value="">and …</option>
          </Select>
        </span>
      )}
    </fieldset>
  );
}

interface RowsProps {
  readonly several: number;
  readonly value: MappingJoin['rows'];
  readonly onChange: (rows: MappingJoin['rows']) => void;
}

/** Shown where parcels find several rows, or a choice was made. */
function RowsField({ several, value, onChange }: RowsProps) {
  if (several === 0 && value === undefined) return null;
  return (
    <>
      {several > 0 ? (
        <p className="problem" data-testid="several-rows">
          {plural(several, 'of the first parcels finds', 'of the first parcels find')} several rows that differ. Choose
          one more column of the key, or say which row counts.
        </p>
      ) : null}
      <Choice
        label="If a parcel finds several rows"
        value={typeof value === 'object' ? '$columns' : (value ?? '')}
        choices={[
          { value: '', label: 'not yet said: the import is refused' },
          { value: 'first', label: 'the first counts' },
          { value: 'last', label: 'the last counts' },
          ...(typeof value === 'object' ? [{ value: '$columns', label: 'by column' }] : []),
        ]}
        onChange={(chosen) => onChange(chosen === 'first' || chosen === 'last' ? chosen : undefined)}
      />
      <ByColumn value={value} onChange={onChange} />
    </>
  );
}

/** `LAND_VAL=sum, YEAR_BUILT=max`, as the command line has it. */
function ByColumn({ value, onChange }: Pick<RowsProps, 'value' | 'onChange'>) {
  const [problem, setProblem] = useState<string | null>(null);
  const keep = (text: string) => {
    try {
      onChange(text.trim() === '' ? undefined : parseJoinRows(text));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <Words
        label="Or by column"
        value={typeof value === 'object' ? joinRowsText(value) : ''}
        hint={joinRowsExample}
        onKeep={keep}
      />
      {problem === null ? null : <p className="problem">{problem}</p>}
    </>
  );
}
