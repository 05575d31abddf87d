/** Maps kinds of filters to controls. A new filter of a known kind needs nothing here. */
import type { ComponentType } from 'react';
import type { FilterKindName, FilterRow } from '../../../engine/spec/filters.ts';
import { activeFilters } from '../filter-body.ts';
import { labelOf } from '../panel-sections.ts';
import {
  AroundControl,
  ListControl,
  NumberControl,
  StateControl,
  TextControl,
  TickControl,
  TriStateControl,
  WordsControl,
  ZipsControl,
} from './choice-controls.tsx';
import { AbsentLine, type ControlProps, isAbsent, usePanel } from './control-frame.tsx';
import { AreaControl, PlaceControl, placeFilters } from './place-control.tsx';
import { BoundControl, DateRangeControl, RangeControl, SlopeControl } from './range-controls.tsx';

const controls: Record<FilterKindName, ComponentType<ControlProps>> = {
  county: PlaceControl,
  counties: PlaceControl,
  zips: PlaceControl,
  exclude_zips: ZipsControl,
  state: StateControl,
  geometry: AreaControl,
  portfolio: NumberControl,
  around: AroundControl,
  id: NumberControl,
  apn: TextControl,
  plss: TextControl,
  range: RangeControl,
  frontage: RangeControl,
  date_range: DateRangeControl,
  min: BoundControl,
  max: BoundControl,
  list: ListControl,
  text: TextControl,
  words: WordsControl,
  exclude_words: WordsControl,
  is: TriStateControl,
  choice: TriStateControl,
  only: TickControl,
  exclude: TickControl,
  slope_area: SlopeControl,
  frontage_type: TickControl,
};

export function FilterControl({ row }: { row: FilterRow }) {
  const panel = usePanel();
  const isInPlaceField = (placeFilters as readonly string[]).includes(row.name);
  // The first of the three draws the shared field.
  if (isInPlaceField && row.name !== placeFilters[0]) return null;
  const isActive = activeFilters(panel.filter).includes(row);
  if (isAbsent(panel, row.name) && !isActive && !row.scope) return <AbsentLine row={row} label={labelOf(row)} />;
  const Control = controls[row.kind];
  return <Control row={row} />;
}
