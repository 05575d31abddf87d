/** The rule of one column: its source, unit or date format, values that mean unknown; and the whole rule as JSON. */

import { useState } from 'react';
import { dateFormats } from '../../engine/spec/date-formats.ts';
import type { ParcelColumn } from '../../engine/spec/parcel-columns.ts';
import type { Expression, ExpressionObject } from '../../engine/work/import-answers.ts';
import { useStore } from '../state/store.ts';
import { areaUnits, unitOfScale } from './expression-words.ts';
import { Choice, Words } from './fields.tsx';
import { importing, type MapRow, mainLayer, tableNames } from './import-state.ts';
import { namesRead } from './mapping-rows.ts';

const asObject = (expression: Expression): ExpressionObject =>
  typeof expression === 'string' ? { from: expression } : expression;

/** Drops empty members; a rule with nothing but a column is that column's name. */
function plain(rule: ExpressionObject): Expression {
  const entries = Object.entries(rule).filter(([, value]) => value !== undefined);
  const [only] = entries;
  return entries.length === 1 && only?.[0] === 'from' && typeof only[1] === 'string'
    ? only[1]
    : (Object.fromEntries(entries) as ExpressionObject);
}

const setRow = (id: string, expression: Expression): void =>
  importing.set(({ rows }) => ({
    rows: rows.map((row) =>
      row.id === id
        ? {
            ...row,
            expression,
            source: namesRead(expression).join(' + ') || 'constant',
            confidence: null,
            reasons: ['as you said'],
          }
        : row,
    ),
  }));

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

type Change = (change: { [Key in keyof ExpressionObject]?: ExpressionObject[Key] | undefined }) => void;

export function RuleEditor({ row, column }: { row: MapRow; column: ParcelColumn | undefined }) {
  const rule = asObject(row.expression);
  const change: Change = (given) => setRow(row.id, plain({ ...rule, ...given } as ExpressionObject));
  if (!column) return null;
  return (
    <div className="rule-editor">
      <p className="quieter rule-docs">{column.docs}</p>
      <SourceField row={row} />
      {column.type === 'date' ? (
        <Choice
          label="Date format"
          value={rule.date ?? ''}
          choices={[
            { value: '', label: 'as each value looks' },
            ...dateFormats.map((value) => ({ value, label: value })),
          ]}
          onChange={(value) => change({ date: (value || undefined) as ExpressionObject['date'] })}
        />
      ) : null}
      {column.unit === 'ac' ? (
        <Choice
          label="Unit"
          value={rule.scale === undefined ? 'acres' : (unitOfScale(rule.scale) ?? 'other')}
          choices={[
            ...areaUnits.map(({ label }) => ({ value: label, label })),
            ...(rule.scale !== undefined && unitOfScale(rule.scale) === null
              ? [{ value: 'other', label: `times ${rule.scale}` }]
              : []),
          ]}
          onChange={(value) => {
            const unit = areaUnits.find(({ label }) => label === value);
            change({ scale: unit && unit.scale !== 1 ? unit.scale : undefined });
          }}
        />
      ) : null}
      {column.type === 'boolean' ? (
        <Words
          label="Yes is"
          value={(rule.yes ?? []).join(', ')}
          hint="Y, 1, TRUE"
          onKeep={(text) => change({ yes: listOf(text).length > 0 ? listOf(text) : undefined })}
        />
      ) : null}
      <Words
        label="Unknown is"
        value={(rule.nullIf ?? []).join(', ')}
        hint={(column.nullIf ?? []).join(', ') || 'nothing but empty'}
        onKeep={(text) => change({ nullIf: listOf(text).length > 0 ? listOf(text) : undefined })}
      />
      <JsonField row={row} />
    </div>
  );
}

function SourceField({ row }: { row: MapRow }) {
  const state = useStore(importing);
  const { expression, id } = row;
  const rule = asObject(expression);
  const isConstant = rule.constant !== undefined;
  const isPlain = typeof rule.from === 'string';
  const names = [...(mainLayer(state)?.columns ?? []).map(({ name }) => name), ...tableNames(state)];
  const known = names.find((name) => isPlain && name.toLowerCase() === String(rule.from).toLowerCase());
  const take = (value: string) => {
    const {
      from: _from,
      concat: _concat,
      sum: _sum,
      minus: _minus,
      constant: _constant,
      lines: _lines,
      part: _part,
      ...rest
    } = rule;
    if (value === '$rule') return;
    setRow(id, value === '$constant' ? { constant: '' } : plain({ ...rest, from: value }));
  };
  return (
    <>
      <Choice
        label="From"
        value={isConstant ? '$constant' : (known ?? '$rule')}
        choices={[
          ...(isConstant || known ? [] : [{ value: '$rule', label: row.source }]),
          ...names.map((value) => ({ value, label: value.replace(/^(table[2-9]?)\./, '$1: ') })),
          { value: '$constant', label: 'the same for every parcel' },
        ]}
        onChange={take}
      />
      {isConstant ? (
        <Words
          label="Always"
          value={String(rule.constant)}
          hint="a value"
          onKeep={(text) => setRow(id, { ...rule, constant: text })}
        />
      ) : null}
    </>
  );
}

/** For everything beyond the fields above: parts, codes, padding. The engine reports mistakes. */
function JsonField({ row }: { row: MapRow }) {
  const written = JSON.stringify(row.expression);
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const keep = () => {
    if (draft === null || draft === written) return;
    try {
      setRow(row.id, JSON.parse(draft) as Expression);
      setProblem(null);
      setDraft(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <label className="aside-field json-field">
      <span className="quieter">Whole rule</span>
      <span className="field" data-invalid={problem !== null}>
        <input
          className="mono"
          spellCheck={false}
          value={draft ?? written}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={keep}
        />
      </span>
      {problem ? <span className="problem">{problem}</span> : null}
    </label>
  );
}
