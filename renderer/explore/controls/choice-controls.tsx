/** Checkboxes, any / yes / no, words, lists with counts, and single texts and numbers. */
import { useEffect, useState } from 'react';
import { choiceWords } from '../../../engine/spec/choice-words.ts';
import { mostFeetAround } from '../../../engine/spec/filter-kinds.ts';
import { foldWords } from '../../../engine/spec/text-fold.ts';
import { ChipField } from '../../parts/chip-field.tsx';
import { formatNumber } from '../../parts/format.ts';
import { NumberField } from '../../parts/number-field.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Tick } from '../../parts/tick.tsx';
import { useRead } from '../../state/client-context.tsx';
import { setFields } from '../explore-state.ts';
import { hasScope, scopeBody } from '../filter-body.ts';
import { labelOf } from '../panel-sections.ts';
import { ControlFrame, type ControlProps, useEffectText, usePanel } from './control-frame.tsx';

export function TickControl({ row }: ControlProps) {
  const { filter } = usePanel();
  return (
    <ControlFrame row={row}>
      <Tick
        label={labelOf(row)}
        isOn={filter[row.name] === true}
        end={useEffectText(row.name)}
        onChange={(isOn) => setFields({ [row.name]: isOn ? true : undefined })}
      />
    </ControlFrame>
  );
}

type TriState = 'any' | 'yes' | 'no';
export const triStates: readonly { value: TriState; label: string }[] = [
  { value: 'any', label: 'any' },
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
];

/** `any` means no filter. */
export function TriStateControl({ row }: ControlProps) {
  const { filter } = usePanel();
  const [yes, no] = row.kind === 'choice' ? ['Y', 'N'] : [true, false];
  const value = filter[row.name];
  const state: TriState = value === yes ? 'yes' : value === no ? 'no' : 'any';
  return (
    <ControlFrame row={row}>
      <div className="control-line">
        <span>{labelOf(row)}</span>
        <Segments
          label={labelOf(row)}
          value={state}
          choices={triStates}
          onChange={(next) => setFields({ [row.name]: next === 'any' ? undefined : next === 'yes' ? yes : no })}
        />
      </div>
    </ControlFrame>
  );
}

const wordProblem = (word: string): string | null =>
  foldWords(word).trim() === '' ? 'words with letters or digits are expected' : null;

export function WordsControl({ row }: ControlProps) {
  const { filter } = usePanel();
  return (
    <ControlFrame row={row}>
      <span className="control-label">{labelOf(row)}</span>
      <ChipField
        label={labelOf(row)}
        placeholder="Add a word"
        values={(filter[row.name] as string[] | undefined) ?? []}
        problemOf={wordProblem}
        onChange={(values) => setFields({ [row.name]: values.map((value) => value.toUpperCase()) })}
      />
    </ControlFrame>
  );
}

const zipProblem = (zip: string): string | null => (/^\d{5}$/.test(zip) ? null : 'a ZIP code of 5 digits is expected');

export function ZipsControl({ row }: ControlProps) {
  const { filter } = usePanel();
  return (
    <ControlFrame row={row}>
      <span className="control-label">{labelOf(row)}</span>
      <ChipField
        label={labelOf(row)}
        placeholder="Add a ZIP code"
        values={((filter[row.name] as (string | number)[] | undefined) ?? []).map(String)}
        problemOf={zipProblem}
        onChange={(values) => setFields({ [row.name]: values })}
      />
    </ControlFrame>
  );
}

/** Choices shown before "Show all". */
const fewChoices = 6;

export function ListControl({ row }: ControlProps) {
  const { filter } = usePanel();
  const [isAll, setAll] = useState(false);
  const [part, setPart] = useState('');
  const scope = scopeBody(filter);
  const { data } = useRead(
    'facet',
    { filter: scope, name: row.name, limit: 500 },
    { when: hasScope(scope), isLasting: true },
  );
  const chosen = new Set((filter[row.name] as string[] | undefined) ?? []);
  const values = data?.values ?? [];
  const words = choiceWords(values);
  const fitting = values.filter(({ value, label }) =>
    `${value} ${label ?? ''}`.toLowerCase().includes(part.toLowerCase()),
  );
  const shown = isAll ? fitting : values.filter(({ value }, i) => i < fewChoices || chosen.has(value));
  const toggle = (value: string, isOn: boolean) =>
    setFields({ [row.name]: isOn ? [...chosen, value] : [...chosen].filter((one) => one !== value) });
  return (
    <ControlFrame row={row}>
      <span className="control-label">
        {row.name === 'land_use_codes' ? 'any' : `${labelOf(row)}, any`}
        {data ? ` of ${formatNumber(data.distinct)}` : ''}
      </span>
      {isAll && values.length > 12 ? (
        <label className="field">
          <input
            placeholder="Part of a name"
            aria-label={`Part of a name of ${labelOf(row)}`}
            value={part}
            onChange={(event) => setPart(event.target.value)}
          />
        </label>
      ) : null}
      <div className="filter-choices">
        {shown.map(({ value, count }) => (
          <Tick
            key={value}
            label={words.get(value) ?? value}
            isOn={chosen.has(value)}
            end={formatNumber(count)}
            onChange={(isOn) => toggle(value, isOn)}
          />
        ))}
      </div>
      {values.length > fewChoices ? (
        <button type="button" className="link small-text" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? 'Show fewer' : `Show all ${formatNumber(values.length)}`}
        </button>
      ) : null}
    </ControlFrame>
  );
}

/** A text matched as a whole. */
export function TextControl({ row }: ControlProps) {
  const { filter } = usePanel();
  const label = labelOf(row);
  return (
    <ControlFrame row={row}>
      <span className="control-label">{label}</span>
      <label className="field">
        <input
          aria-label={label}
          autoComplete="off"
          value={(filter[row.name] as string | undefined) ?? ''}
          onChange={(event) => setFields({ [row.name]: event.target.value === '' ? undefined : event.target.value })}
        />
      </label>
    </ControlFrame>
  );
}

export function StateControl({ row }: ControlProps) {
  const { filter } = usePanel();
  const given = (filter[row.name] as string | undefined) ?? '';
  const [text, setText] = useState(given);
  useEffect(() => {
    // A single letter is an unfinished word, and filters nothing yet.
    setText((typed) => (given === '' && typed.length === 1 ? typed : given));
  }, [given]);
  const change = (typed: string) => {
    const next = typed.toUpperCase().replace(/[^A-Z]/g, '');
    setText(next);
    setFields({ [row.name]: next.length === 2 ? next : undefined });
  };
  return (
    <ControlFrame row={row}>
      <div className="control-line">
        <span>{labelOf(row)}</span>
        <label className="field">
          <input
            aria-label={labelOf(row)}
            maxLength={2}
            placeholder="any"
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        </label>
      </div>
    </ControlFrame>
  );
}

/** A parcel's number: one parcel, or everything its owner has. */
export function NumberControl({ row }: ControlProps) {
  const { filter } = usePanel();
  return (
    <ControlFrame row={row}>
      <div className="control-line">
        <span>{labelOf(row)}</span>
        <NumberField
          label={labelOf(row)}
          value={filter[row.name] as number | undefined}
          isWhole
          minimum={1}
          placeholder="property ID"
          onChange={(value) => setFields({ [row.name]: value })}
        />
      </div>
    </ControlFrame>
  );
}

/** A parcel, and the feet around it once there is one. */
export function AroundControl({ row }: ControlProps) {
  const { filter } = usePanel();
  const id = filter[row.name] as number | undefined;
  return (
    <ControlFrame row={row}>
      <div className="control-line">
        <span>{labelOf(row)}</span>
        <NumberField
          label={labelOf(row)}
          value={id}
          isWhole
          minimum={1}
          placeholder="property ID"
          onChange={(value) =>
            setFields({ [row.name]: value, ...(value === undefined ? { within_feet: undefined } : {}) })
          }
        />
      </div>
      {id === undefined ? null : (
        <div className="control-line">
          <span>Also within</span>
          <NumberField
            label="Feet around the parcel"
            value={filter.within_feet as number | undefined}
            unit="ft"
            minimum={0}
            maximum={mostFeetAround}
            onChange={(value) => setFields({ within_feet: value })}
          />
        </div>
      )}
    </ControlFrame>
  );
}
