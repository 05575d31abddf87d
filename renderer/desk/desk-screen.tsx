/** The Desk: deals by when they are due, as a table or by stage; stages on the left, the chosen deal on the right. */
import { BriefcaseBusiness, Download, Import, Layers, ListFilter, Plus } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { type DealStage, type Due, dealStages, stageLabel } from '../../engine/spec/deals.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { saveFile } from '../export/save-file.ts';
import { formatNumber, plural } from '../parts/format.ts';
import { Segments } from '../parts/segments.tsx';
import { Select } from '../parts/select.tsx';
import { EmptyState, ErrorState, Skeleton } from '../parts/states.tsx';
import { useWidthInRem } from '../parts/use-width.ts';
import { useIsNarrow, useIsTiny } from '../parts/use-window-width.ts';
import { useClient, useLate, useRead, useRested } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { makeChange } from '../work/make-change.ts';
import { DealBoard } from './deal-board.tsx';
import { DealCard } from './deal-card.tsx';
import { DealTable } from './deal-table.tsx';
import { findParcelToAdd } from './desk-commands.ts';
import { type Deals, desk, shownDeals, showPart } from './desk-state.ts';
import { StageMark } from './stage-mark.tsx';

export function DeskScreen() {
  const view = useStore(desk);
  const words = useRested(view.words, 150);
  const { data, error, isPending, refetch } = useRead('deals', { ...shownDeals({ ...view, words }), page_size: 1 });
  const isSlow = useLate(isPending);
  const isNarrow = useIsNarrow();
  const main = useRef<HTMLElement>(null);
  const widthRem = useWidthInRem(main);
  const isPhone = useIsTiny();
  const last = view.selected.at(-1);
  const isBeside = !isNarrow && !view.isBoard;
  const card = isBeside || view.isCardOpen ? last : undefined;
  return (
    <div className="desk" data-phone={isPhone}>
      {data && !isNarrow ? <Stages counts={data.desk} shown={view.stage} /> : null}
      <section ref={main} className="page" aria-label="Desk" hidden={isPhone && card !== undefined}>
        <Head counts={data?.desk ?? null} isPhone={isPhone} />
        {error ? <ErrorState title="The desk could not be read" error={error} onRetry={() => void refetch()} /> : null}
        {isSlow ? <Skeleton label="Reading the desk" /> : null}
        {data ? <Body deals={data} hasStages={isNarrow} isPhone={isPhone} widthRem={widthRem} /> : null}
      </section>
      {card === undefined ? null : <DealCard id={card} isOver={!isBeside} />}
    </div>
  );
}

interface BodyProps extends Omit<ContentProps, 'deals'> {
  readonly deals: Deals;
  readonly hasStages: boolean;
}

function Body({ deals, hasStages, isPhone, widthRem }: BodyProps) {
  if (deals.desk.stages.every(({ deals: some }) => some === 0)) return <NoDeals />;
  return (
    <>
      <Filters deals={deals} hasStages={hasStages} isPhone={isPhone} />
      {widthRem > 0 ? <Content deals={deals} isPhone={isPhone} widthRem={widthRem} /> : null}
      <Foot count={deals.count} />
    </>
  );
}

interface ContentProps {
  readonly deals: Deals;
  readonly isPhone: boolean;
  readonly widthRem: number;
}

function Content({ deals, isPhone, widthRem }: ContentProps) {
  const { isBoard } = useStore(desk);
  if (isBoard && !isPhone) return <DealBoard counts={deals.desk} />;
  if (deals.count > 0) return <DealTable deals={deals} isPhone={isPhone} widthRem={widthRem} />;
  return (
    <EmptyState title="No deal is like this" text="Another stage, another day or other words may have one.">
      <button type="button" className="button" onClick={() => showPart({ stage: null, due: [], words: '' })}>
        Show all open
      </button>
    </EmptyState>
  );
}

const NoDeals = () => {
  const client = useClient();
  return (
    <EmptyState
      icon={<BriefcaseBusiness aria-hidden />}
      title="Nothing on the desk yet"
      text="A deal is a parcel on its way from Watching to Closed, with a next step, an offer and a timeline. Put the first one here from its panel in Explore, or bring your spreadsheet: a CSV with APN, status, date and note."
    >
      <button type="button" className="button primary" onClick={findParcelToAdd}>
        <Plus aria-hidden />
        Add a deal
      </button>
      <ImportButton client={client} />
    </EmptyState>
  );
};

const isDue = (due: readonly Due[], only: readonly Due[]): boolean => due.join() === only.join();

interface CountLink {
  readonly words: string;
  readonly due: readonly Due[];
  readonly isLate?: boolean;
}

/** Links that set the filter. */
function Head({ counts, isPhone }: { counts: Deals['desk'] | null; isPhone: boolean }) {
  const { due, isBoard } = useStore(desk);
  const links: readonly CountLink[] = counts
    ? [
        { words: `${formatNumber(counts.overdue)} overdue`, due: ['overdue'], isLate: counts.overdue > 0 },
        { words: `Due today ${formatNumber(counts.today)}`, due: ['today'] },
        { words: `this week ${formatNumber(counts.week)}`, due: ['today', 'week'] },
        { words: `${formatNumber(counts.open)} open`, due: [] },
        ...(counts.no_next_step > 0
          ? [{ words: `no next step ${formatNumber(counts.no_next_step)}`, due: ['none' as const] }]
          : []),
      ]
    : [];
  return (
    <header className="page-head desk-head">
      <h1>Desk</h1>
      <p className="due-links num">
        {links.map(({ words, due: only, isLate }) => (
          <button
            key={only.join() || 'open'}
            type="button"
            data-late={isLate === true}
            data-all={only.length === 0}
            aria-pressed={isDue(due, only)}
            onClick={() => showPart({ due: only, stage: null })}
          >
            {words}
          </button>
        ))}
      </p>
      <span className="grow" />
      {isPhone ? null : (
        <Segments
          label="Table or board"
          value={isBoard ? 'board' : 'table'}
          choices={[
            { value: 'table', label: 'Table' },
            { value: 'board', label: 'Board' },
          ]}
          onChange={(next) => showPart({ isBoard: next === 'board' })}
        />
      )}
      <button type="button" className="button" onClick={findParcelToAdd}>
        <Plus aria-hidden />
        Add deal
      </button>
    </header>
  );
}

const dueChoices: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'Next step: any' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'today', label: 'Today' },
  { value: 'today,week', label: 'This week' },
  { value: 'later', label: 'Later' },
  { value: 'none', label: 'No next step' },
];

interface FiltersProps {
  readonly deals: Deals;
  readonly hasStages: boolean;
  readonly isPhone: boolean;
}

function Filters({ deals, hasStages, isPhone }: FiltersProps) {
  const client = useClient();
  const { words, due, stage } = useStore(desk);
  return (
    <>
      <div className="desk-filters">
        <label className="field desk-words">
          <ListFilter aria-hidden className="small" />
          <span className="sr">Words</span>
          <input
            value={words}
            maxLength={200}
            placeholder="Owner, APN, words in notes"
            onChange={({ target }) => desk.set({ words: target.value, selected: [] })}
          />
        </label>
        {hasStages && !isPhone ? (
          <label className="field">
            <span className="sr">Stage</span>
            <Select
              value={stage ?? ''}
              options={dealStages.map(({ name, label }) => ({ value: name, label }))}
              onChange={(next) => showPart({ stage: next === '' ? null : (next as DealStage) })}
            >
              <option value="">All open</option>
            </Select>
          </label>
        ) : null}
        {isPhone ? null : (
          <label className="field">
            <span className="sr">Next step</span>
            <Select
              value={due.join()}
              options={dueChoices}
              onChange={(next) => showPart({ due: next === '' ? [] : (next.split(',') as Due[]) })}
            />
          </label>
        )}
        <span className="grow" />
        {isPhone ? null : (
          <>
            <span className="quieter num nowrap at-medium">{plural(deals.count, 'deal', 'deals')}, soonest first</span>
            <ImportButton client={client} />
            <button type="button" className="button" onClick={() => void exportDesk(client)}>
              <Download aria-hidden />
              Export
            </button>
          </>
        )}
      </div>
      {isPhone ? <StageChips counts={deals.desk} shown={stage} /> : null}
    </>
  );
}

async function exportDesk(client: EngineClient): Promise<void> {
  try {
    const made = await client.read('make_deals_csv', {});
    saveFile(made);
    toast(`${made.name}: ${plural(made.deals, 'deal', 'deals')}, in every stage, with their timelines.`);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

const mostImported = 700_000;

/** A CSV with an APN; the command line reads larger ones. */
function ImportButton({ client }: { client: EngineClient }) {
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File) => {
    if (file.size > mostImported)
      return toast(`${file.name} is too large for the window: platbook deals import reads it.`);
    const letters = [...new Uint8Array(await file.arrayBuffer())].map((byte) => String.fromCharCode(byte)).join('');
    const done = await makeChange(client, 'import_deals', { bytes: btoa(letters), name: file.name });
    if (!done) return;
    const { matched, several, none, blank } = done.data;
    const left = several + none + blank;
    if (left > 0)
      toast(
        `${plural(matched, 'deal', 'deals')} read. Left out: ${formatNumber(none)} with an APN that no parcel has, ${formatNumber(several)} with one that several have, ${formatNumber(blank)} without an APN.`,
      );
  };
  return (
    <>
      <button type="button" className="button" onClick={() => input.current?.click()}>
        <Import aria-hidden />
        Import
      </button>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,.tsv"
        hidden
        aria-label="CSV of a desk"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void read(file);
          target.value = '';
        }}
      />
    </>
  );
}

interface StagesProps {
  readonly counts: Deals['desk'];
  readonly shown: DealStage | null;
}

function Stages({ counts, shown }: StagesProps) {
  return (
    <nav className="pane lists-side desk-stages" aria-label="Stages">
      <div className="pane-head">
        <h2>Stages</h2>
      </div>
      <div className="scroll">
        <StageItem icon={<Layers aria-hidden />} words="All open" count={counts.open} stage={null} shown={shown} />
        {counts.stages.map(({ stage, deals }) => (
          <StageItem
            key={stage}
            icon={<StageMark stage={stage} />}
            words={stageLabel(stage)}
            count={deals}
            stage={stage}
            shown={shown}
          />
        ))}
      </div>
    </nav>
  );
}

interface StageItemProps {
  readonly icon: ReactNode;
  readonly words: string;
  readonly count: number;
  readonly stage: DealStage | null;
  readonly shown: DealStage | null;
}

const StageItem = ({ icon, words, count, stage, shown }: StageItemProps) => (
  <button
    type="button"
    className="side-item"
    data-end={stage === 'closed'}
    aria-current={stage === shown ? 'page' : undefined}
    onClick={() => showPart({ stage, due: [], isBoard: false })}
  >
    {icon}
    <span className="grow ellipsis">{words}</span>
    <span className="num">{formatNumber(count)}</span>
  </button>
);

const StageChips = ({ counts, shown }: StagesProps) => (
  <div className="stage-chips" role="toolbar" aria-label="Stages">
    <button
      type="button"
      className="stage-chip"
      aria-pressed={shown === null}
      onClick={() => showPart({ stage: null })}
    >
      All open {formatNumber(counts.open)}
    </button>
    {counts.stages
      .filter(({ deals }) => deals > 0)
      .map(({ stage, deals }) => (
        <button
          key={stage}
          type="button"
          className="stage-chip"
          aria-pressed={stage === shown}
          onClick={() => showPart({ stage })}
        >
          <StageMark stage={stage} />
          {stageLabel(stage)} {formatNumber(deals)}
        </button>
      ))}
  </div>
);

function Foot({ count }: { count: number }) {
  const { selected, isBoard } = useStore(desk);
  return (
    <footer className="list-foot desk-foot">
      {isBoard ? (
        <>
          <span className="quieter">Sums: the offer from Mailed on, before it the middle of the value.</span>
          <span className="grow" />
          <span className="quieter">
            Drag, or <kbd>M</kbd> then a letter, moves a card
          </span>
        </>
      ) : (
        <>
          <span className="quieter keys at-medium">
            <kbd>E</kbd> edit <kbd>M</kbd> stage <kbd>D</kbd> next date <kbd>L</kbd> log call <kbd>N</kbd> note{' '}
            <kbd>Shift ↓</kbd> more
          </span>
          <span className="grow" />
          <span className="quieter num nowrap" aria-live="polite">
            {formatNumber(selected.length)} of {formatNumber(count)} selected
          </span>
        </>
      )}
    </footer>
  );
}
