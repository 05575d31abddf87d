/**
 * The shared parts of every control: its filter, its effect, its unknown parcels, and whether the county has data for
 * it.
 */
import { createContext, type ReactNode, useContext } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { firstOf } from '../../../engine/spec/counted.ts';
import type { FilterRow } from '../../../engine/spec/filters.ts';
import type { LayerKind } from '../../../engine/spec/layer-titles.ts';
import { importing } from '../../import/import-state.ts';
import { openImport } from '../../import/open-import.ts';
import { formatNumber, minus } from '../../parts/format.ts';
import { Segments } from '../../parts/segments.tsx';
import { setUnknownMode } from '../explore-state.ts';
import { type FilterBody, type UnknownMode, unknownMode, unknownOf } from '../filter-body.ts';

type Effect = ReadOutputOf<'count_properties'>['filters'][number];

export interface PanelData {
  readonly filter: FilterBody;
  readonly count: number | null;
  /** The effect of each filter of the counted request. */
  readonly effects: ReadonlyMap<string, Effect>;
  /** Number of parcels of the place with a value in the filter's column; absent while unknown. */
  readonly known: ReadonlyMap<string, number>;
  /** Values of a filter's list that no parcel of the place has. */
  readonly unmatched: ReadonlyMap<string, readonly string[]>;
}

const Panel = createContext<PanelData>({
  filter: {},
  count: null,
  effects: new Map(),
  known: new Map(),
  unmatched: new Map(),
});

export const PanelDataProvider = Panel;
export const usePanel = (): PanelData => useContext(Panel);

export interface ControlProps {
  readonly row: FilterRow;
}

export const isAbsent = (panel: PanelData, name: string): boolean => panel.known.get(name) === 0;

/** `−64`: the number of parcels an active filter removes. */
export function useEffectText(name: string): string | undefined {
  const removes = usePanel().effects.get(name)?.removes;
  return removes === undefined || removes === 0 ? undefined : minus(`-${formatNumber(removes)}`);
}

export function ControlFrame({ row, children }: ControlProps & { children: ReactNode }) {
  const panel = usePanel();
  return (
    <div className="control" data-filter={row.name} data-absent={isAbsent(panel, row.name)} title={row.docs}>
      {children}
      <UnmatchedLine name={row.name} />
      <UnknownLine row={row} />
    </div>
  );
}

const shownValues = 5;

/** A misspelt code, or a ZIP code that lies elsewhere, among others that are found. */
export function UnmatchedLine({ name }: { name: string }) {
  const values = usePanel().unmatched.get(name) ?? [];
  return values.length === 0 ? null : (
    <p className="control-label">No parcel loaded here matches {firstOf(values, shownValues)}.</p>
  );
}

const modes: { value: UnknownMode; label: string }[] = [
  { value: 'drop', label: 'leave out' },
  { value: 'keep', label: 'include' },
  { value: 'only', label: 'only these' },
];

/** "316 have no flood zone: leave out / include / only these", once a filter leaves out unknown parcels, or keeps them since it only excludes. */
function UnknownLine({ row }: ControlProps) {
  const { filter, effects, count } = usePanel();
  const effect = effects.get(row.name);
  const mode = unknownMode(filter, row.name);
  const usual = unknownOf(row);
  if (!effect || usual === 'none' || (effect.unknown === 0 && mode === usual)) return null;
  const label = row.label.toLowerCase();
  return (
    <>
      <div className="unknown">
        <span>
          {formatNumber(effect.unknown)} {effect.unknown === 1 ? 'has' : 'have'}{' '}
          {usual === 'drop' ? `no ${label.replace(/ at most$/, '')}` : 'nothing about it'}:
        </span>
        <Segments
          label={usual === 'drop' ? `Parcels whose ${label} is unknown` : `Parcels unknown to “${row.label}”`}
          value={mode}
          choices={usual === 'drop' ? modes : modes.filter(({ value }) => value !== 'drop')}
          onChange={(next) => setUnknownMode(row.name, next)}
        />
      </div>
      {mode === 'drop' || count === null ? null : (
        <p className="control-label">
          {mode === 'keep' ? 'Included' : 'Only these'}: {formatNumber(count)} match,{' '}
          {formatNumber(Math.min(effect.unknown, count))} of them with{' '}
          {usual === 'drop' ? `no ${label.replace(/ at most$/, '')}` : 'nothing about it'} in the file.
        </p>
      )}
    </>
  );
}

/** The layers that complete parcels, by the beginning of their columns. */
const layersOf: readonly (readonly [begins: string, kind: LayerKind, words: string])[] = [
  ['slope_', 'slope', 'an elevation layer'],
  ['flood_', 'flood', 'a flood layer'],
  ['wetlands_', 'wetlands', 'a wetlands layer'],
  ['water_', 'water', 'a layer of water'],
  ['road_', 'roads', 'a layer of roads'],
  ['building_', 'buildings', 'a layer of buildings'],
  ['school_', 'schools', 'a layer of school districts'],
];

/** The label of a control for which this county has no data, and the layer that would give it. */
export function AbsentLine({ row, label }: ControlProps & { label: string }) {
  const [, kind, words] = layersOf.find(([begins]) => 'column' in row && row.column.startsWith(begins)) ?? [];
  const add = () => {
    if (importing.get().step === 'choose') importing.set({ what: 'layer', layerKind: kind ?? 'other' });
    openImport();
  };
  return (
    <div className="control-line" data-filter={row.name} title={row.docs}>
      <span className="quietest">{label}</span>
      {kind === undefined ? (
        <span className="quietest small-text">not in this county’s file</span>
      ) : (
        <span className="quietest small-text">
          needs {words} ·{' '}
          <button type="button" className="link" onClick={add}>
            Add
          </button>
        </span>
      )}
    </div>
  );
}
