/** Filters over the user's own work: the last section of the panel, and its phrases in the sentence. */

import { ChevronDown, X } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { dealStages, stageLabel } from '../../engine/spec/deals.ts';
import { type WorkFields, workFields } from '../../engine/spec/work-fields.ts';
import { formatDate, formatMoney } from '../parts/format.ts';
import { Segments } from '../parts/segments.tsx';
import { Select } from '../parts/select.tsx';
import { useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { TagChip } from '../work/tag-chip.tsx';
import { triStates } from './controls/choice-controls.tsx';
import { explore, setFields } from './explore-state.ts';
import type { FilterBody } from './filter-body.ts';

type Tags = ReadOutputOf<'marks'>['tags'];
type Lists = ReadOutputOf<'lists'>['lists'];

function useOwnWork(filter: FilterBody): { filter: WorkFields; tags: Tags; lists: Lists } {
  const { data: marks } = useRead('marks', {}, { isLasting: true });
  const { data } = useRead('lists', {}, { isLasting: true });
  return { filter: filter as WorkFields, tags: marks?.tags ?? [], lists: data?.lists ?? [] };
}

const inUse = (filter: WorkFields): number => workFields.filter((field) => filter[field] !== undefined).length;

export function WorkSection() {
  const work = useOwnWork(useStore(explore).filter);
  const count = inUse(work.filter);
  const [isOpen, setOpen] = useState(count > 0);
  return (
    <div className="section">
      <button
        type="button"
        className="section-head"
        aria-expanded={isOpen}
        aria-controls="section-work"
        onClick={() => setOpen(!isOpen)}
      >
        <span>Your stars, tags and lists</span>
        <span className="grow" />
        {count > 0 && !isOpen ? <span className="tag accent num">{count}</span> : null}
        <ChevronDown aria-hidden className="small" />
      </button>
      {isOpen ? (
        <div id="section-work" className="control">
          <Starred filter={work.filter} />
          <TagChoice chosen={work.filter.tags ?? []} tags={work.tags} />
          <ListChoice field="in_list" label="In the list" chosen={work.filter.in_list ?? []} lists={work.lists} />
          <ListChoice
            field="not_in_list"
            label="Not in the list"
            chosen={work.filter.not_in_list ?? []}
            lists={work.lists}
          />
          <MailedBefore day={work.filter.mailed_before} />
          <StageChoice stages={work.filter.stage} />
        </div>
      ) : null}
    </div>
  );
}

function Starred({ filter: { starred } }: { filter: WorkFields }) {
  return (
    <div className="control-line">
      <span className="grow">Starred</span>
      <Segments
        label="Starred"
        value={starred === undefined ? 'any' : starred ? 'yes' : 'no'}
        choices={triStates}
        onChange={(next) => setFields({ starred: next === 'any' ? undefined : next === 'yes' })}
      />
    </div>
  );
}

const without = (ids: readonly number[], id: number): number[] => ids.filter((one) => one !== id);

interface AddChoiceProps {
  readonly label: string;
  /** The placeholder of the field, which is empty again after each choice. */
  readonly empty: string;
  readonly choices: readonly { readonly id: number; readonly name: string }[];
  readonly onAdd: (id: number) => void;
}

function AddChoice({ label, empty, choices, onAdd }: AddChoiceProps) {
  return (
    <label className="field work-choice">
      <span className="sr">{label}</span>
      <Select
        value=""
        disabled={choices.length === 0}
        options={choices.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) => onAdd(Number(id))}
      >
        <option value="">{empty}</option>
      </Select>
    </label>
  );
}

function TagChoice({ chosen, tags }: { chosen: readonly number[]; tags: Tags }) {
  const rest = tags.filter((tag) => !chosen.includes(tag.tag_id));
  return (
    <div className="control">
      <div className="control-line">
        <span className="grow">Tagged</span>
        <AddChoice
          label="Add a tag to the filter"
          empty={tags.length === 0 ? 'no tags yet' : 'any of …'}
          choices={rest.map(({ tag_id: id, name }) => ({ id, name }))}
          onAdd={(id) => setFields({ tags: [...chosen, id] })}
        />
      </div>
      {chosen.length === 0 ? null : (
        <div className="line wrap">
          {tags
            .filter((tag) => chosen.includes(tag.tag_id))
            .map((tag) => (
              <TagChip
                key={tag.tag_id}
                name={tag.name}
                color={tag.color}
                onRemove={() => setFields({ tags: without(chosen, tag.tag_id) })}
              />
            ))}
        </div>
      )}
    </div>
  );
}

interface ListChoiceProps {
  readonly field: 'in_list' | 'not_in_list';
  readonly label: string;
  readonly chosen: readonly number[];
  readonly lists: Lists;
}

function ListChoice({ field, label, chosen, lists }: ListChoiceProps) {
  const rest = lists.filter((list) => !chosen.includes(list.list_id));
  return (
    <div className="control">
      <div className="control-line">
        <span className="grow">{label}</span>
        <AddChoice
          label={label}
          empty={lists.length === 0 ? 'no lists yet' : 'choose …'}
          choices={rest.map(({ list_id: id, name }) => ({ id, name }))}
          onAdd={(id) => setFields({ [field]: [...chosen, id] })}
        />
      </div>
      {chosen.length === 0 ? null : (
        <div className="line wrap">
          {lists
            .filter((list) => chosen.includes(list.list_id))
            .map((list) => (
              <span key={list.list_id} className="chip">
                <span className="ellipsis">{list.name}</span>
                <button
                  type="button"
                  aria-label={`Remove the list ${list.name}`}
                  onClick={() => setFields({ [field]: without(chosen, list.list_id) })}
                >
                  <X aria-hidden />
                </button>
              </span>
            ))}
        </div>
      )}
    </div>
  );
}

const MailedBefore = ({ day }: { day: string | undefined }) => (
  <div className="control-line">
    <span className="grow">Last letter before</span>
    <label className="field work-choice">
      <span className="sr">Last letter before</span>
      <input
        type="date"
        value={day ?? ''}
        onChange={(event) => setFields({ mailed_before: event.target.value || undefined })}
      />
    </label>
  </div>
);

/** One stage of a deal; several come from other doors. */
const StageChoice = ({ stages }: { stages: WorkFields['stage'] }) => (
  <div className="control-line">
    <span className="grow">On the Desk</span>
    <label className="field work-choice">
      <span className="sr">On the Desk</span>
      <Select
        value={stages?.length === 1 ? (stages[0] ?? '') : ''}
        options={dealStages.map(({ name, label }) => ({ value: name, label }))}
        onChange={(next) =>
          setFields({ stage: next === '' ? undefined : [next as (typeof dealStages)[number]['name']] })
        }
      >
        <option value="">any stage or none</option>
      </Select>
    </label>
  </div>
);

interface WorkPhrase {
  readonly field: string;
  readonly text: string;
}

function phrases({ filter, tags, lists }: ReturnType<typeof useOwnWork>): WorkPhrase[] {
  const tagNames = (filter.tags ?? []).map((id) => tags.find((tag) => tag.tag_id === id)?.name ?? 'a deleted tag');
  const listNames = (ids: readonly number[] | undefined) =>
    (ids ?? []).map((id) => lists.find((list) => list.list_id === id)?.name ?? 'a deleted list').join(' or ');
  return [
    filter.starred === undefined ? '' : filter.starred ? 'starred' : 'not starred',
    tagNames.length === 0 ? '' : `tagged ${tagNames.join(' or ')}`,
    filter.in_list ? `in ${listNames(filter.in_list)}` : '',
    filter.not_in_list ? `not in ${listNames(filter.not_in_list)}` : '',
    filter.mailed_before ? `last mailed before ${formatDate(filter.mailed_before)}` : '',
    filter.stage ? `at the stage ${filter.stage.map(stageLabel).join(' or ')}` : '',
    filter.next_before ? `next step before ${formatDate(filter.next_before)}` : '',
    filter.next_after ? `next step from ${formatDate(filter.next_after)}` : '',
    filter.offer_min === undefined ? '' : `offer from ${formatMoney(filter.offer_min)}`,
    filter.offer_max === undefined ? '' : `offer to ${formatMoney(filter.offer_max)}`,
    filter.touched_since ? `touched since ${formatDate(filter.touched_since)}` : '',
  ].flatMap((text, i) => (text === '' ? [] : [{ field: workFields[i] ?? '', text }]));
}

/** A phrase for each of these filters in use: `starred`, `not in Spring letters`. */
export const useWorkPhrases = (filter: FilterBody): readonly WorkPhrase[] => phrases(useOwnWork(filter));

/** The same as text, after the other phrases: `, starred, not in Spring letters`. */
export const useWorkWords = (filter: FilterBody): string =>
  useWorkPhrases(filter)
    .map(({ text }) => `, ${text}`)
    .join('');

/** A click on a phrase removes its filter: its control is in the panel's last section. */
export function WorkPhrases({ isFirst }: { isFirst: boolean }) {
  const work = useWorkPhrases(useStore(explore).filter);
  return work.map(({ field, text }, i) => (
    <Fragment key={field}>
      {isFirst && i === 0 ? ' ' : ', '}
      <button type="button" title="Remove this filter" onClick={() => setFields({ [field]: undefined })}>
        {text}
      </button>
    </Fragment>
  ));
}
