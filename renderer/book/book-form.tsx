/** The choices of a book, from what it shows to its title. */

import { longestTitle } from '../../engine/spec/sheet-paper.ts';
import { useMapSources } from '../map/map-sources.ts';
import { paperSegments, scaleOptions } from '../map/print-state.ts';
import { formatNumber } from '../parts/format.ts';
import { Segments } from '../parts/segments.tsx';
import { Select } from '../parts/select.tsx';
import { useStore } from '../state/store.ts';
import { book } from './book-state.ts';
import { PlanWords } from './plan-words.tsx';
import type { UsedPlan } from './use-book-plan.ts';
import type { BookSource, SourceGroup } from './use-book-sources.ts';

const names = [
  { value: 'with', label: 'With owners’ names' },
  { value: 'without', label: 'Without names' },
] as const;
const pageKinds = [
  { value: 'grid', label: 'In a grid' },
  { value: 'townships', label: 'One a township' },
] as const;
const detailScales = [12_000, 6000, 3000];

interface BookFormProps {
  readonly groups: readonly SourceGroup[];
  readonly chosen: BookSource | null;
  readonly used: UsedPlan;
}

export function BookForm({ groups, chosen, used }: BookFormProps) {
  const choices = useStore(book);
  // Without a survey a remembered choice of townships can be taken back.
  const hasSurvey = useMapSources()?.layers.some(({ kind }) => kind === 'plss') || choices.pages === 'townships';
  return (
    <div className="scroll">
      <div className="section">
        <label className="control">
          <span className="strong">Land</span>
          <span className="field">
            <select
              data-focus="book"
              value={chosen?.key ?? ''}
              onChange={({ target }) => book.set({ source: target.value })}
            >
              {groups.map(({ label, sources }) => (
                <optgroup key={label} label={label}>
                  {sources.map((source) => (
                    <option key={source.key} value={source.key}>
                      {source.label}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </span>
        </label>
        <p className="small-text quieter">
          A filter or a drawn area of Explore, a list and a market can be printed too.
        </p>
      </div>
      <fieldset className="section">
        <legend className="strong">Should the book name owners?</legend>
        <Segments
          label="Owners’ names"
          value={choices.names ?? ''}
          choices={names as readonly { value: '' | 'with' | 'without'; label: string }[]}
          onChange={(value) => book.set({ names: value === '' ? null : value })}
        />
        <p className="small-text quieter">
          {choices.names === 'without'
            ? 'Parcel numbers stand for owners; no owner, mailing address or contact is in the file.'
            : choices.names === 'with'
              ? 'Whoever gets the file can read and search every owner’s name.'
              : 'Choose one: the file may be passed on.'}
        </p>
      </fieldset>
      <div className="section">
        <label className="control">
          <span className="strong">Scale</span>
          <span className="field">
            <Select
              value={choices.scale ?? ''}
              options={scaleOptions}
              onChange={(scale) => book.set({ scale: scale === '' ? null : Number(scale) })}
            >
              <option value="">As the land needs</option>
            </Select>
          </span>
        </label>
        {hasSurvey ? (
          <div className="control">
            <span className="strong">Pages</span>
            <Segments
              label="Pages"
              value={choices.pages}
              choices={pageKinds}
              onChange={(pages) => book.set({ pages })}
            />
          </div>
        ) : null}
        <label className="control">
          <span className="strong">Details of crowded parts</span>
          <span className="field">
            <Select
              value={choices.details}
              options={[
                ...detailScales.map((scale) => ({ value: scale, label: `up to 1:${formatNumber(scale)}` })),
                { value: 0, label: 'none' },
              ]}
              onChange={(details) => book.set({ details: Number(details) })}
            />
          </span>
        </label>
        <div className="control">
          <span className="strong">Paper</span>
          <Segments
            label="Paper"
            value={choices.paper}
            choices={paperSegments}
            onChange={(paper) => book.set({ paper })}
          />
        </div>
        <label className="control">
          <span className="strong">Title</span>
          <span className="field">
            <input
              value={choices.title}
              maxLength={longestTitle}
              placeholder={used.plan?.title ?? 'The county'}
              onChange={({ target }) => book.set({ title: target.value })}
            />
          </span>
        </label>
      </div>
      <PlanWords used={used} />
    </div>
  );
}
