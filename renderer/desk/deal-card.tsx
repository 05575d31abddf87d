/** The chosen deal: where it lies, its stage, next step, offer and note, and its timeline. */
import {
  ArrowRight,
  ChevronDown,
  ChevronUp,
  Circle,
  HandCoins,
  type LucideIcon,
  Mail,
  Map as MapIcon,
  MapPin,
  NotebookPen,
  Phone,
  Reply,
  X,
} from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { stageOfText } from '../../engine/spec/deals.ts';
import { openInExplore } from '../lists/list-table.tsx';
import { CompsMap } from '../map/comps-map.tsx';
import { formatNumber, parseNumber } from '../parts/format.ts';
import { IconButton } from '../parts/hint.tsx';
import { ErrorState } from '../parts/states.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { typedDay } from './cell-editor.tsx';
import { askCall, deskActions } from './desk-commands.ts';
import { type Deal, desk, editCell, updateDeals } from './desk-state.ts';
import { localDay, nextWords, shortDay } from './next-date.ts';
import { StageMark, StageMenu, StageWord } from './stage-mark.tsx';

/** @param isOver whether it lies over the table, and can be closed */
export function DealCard({ id, isOver }: { id: number; isOver: boolean }) {
  const { data, error, refetch } = useRead('deals', { ids: [id], timeline: true, today: localDay() });
  const deal = data?.results.find(({ property_id: one }) => one === id);
  return (
    <aside className="pane deal-card" aria-label={deal ? `Deal ${deal.apn || id}` : 'Deal'} data-over={isOver}>
      {error ? <ErrorState title="The deal could not be read" error={error} onRetry={() => void refetch()} /> : null}
      {deal ? <Content key={id} deal={deal} isOver={isOver} /> : null}
    </aside>
  );
}

const step = (id: 'next' | 'previous') => deskActions.find((one) => one.id === id)?.run;

function Content({ deal, isOver }: { deal: Deal; isOver: boolean }) {
  const client = useClient();
  const { editing } = useStore(desk);
  const { property_id: id, stage, since } = deal;
  const today = localDay();
  const place = [deal.situs_address, deal.situs_city].filter(Boolean).join(', ');
  // The board and a phone have no cell that the menu could open at.
  const isMenuOpen = editing?.id === id && editing.cell === 'stage' && isOver;
  return (
    <>
      {deal.point && !isOver ? <Where deal={deal} point={deal.point as [number, number]} /> : null}
      <div className="deal-head">
        <div className="apn-line">
          <h2>{deal.apn || 'no APN'}</h2>
          <IconButton label="Previous deal" keys="K" onPress={() => step('previous')?.(client)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton label="Next deal" keys="J" onPress={() => step('next')?.(client)}>
            <ChevronDown aria-hidden />
          </IconButton>
          <IconButton label="Open in Explore" onPress={() => openInExplore(id)}>
            <MapIcon aria-hidden />
          </IconButton>
          {isOver ? (
            <IconButton label="Close the deal" keys="Esc" onPress={() => desk.set({ isCardOpen: false })}>
              <X aria-hidden />
            </IconButton>
          ) : null}
        </div>
        <p className="owner">{deal.owner_name ?? <span className="null">owner not published</span>}</p>
        <p className="quieter">
          {deal.acres === null ? 'acres unknown' : `${formatNumber(deal.acres, 1)} ac`}
          {place === '' ? '' : ` · ${place}`}
        </p>
      </div>
      <div className="scroll deal-body">
        <Line label="Stage">
          <CardStage deal={deal}>
            <StageWord stage={stage} />
            <span className="grow quieter since">since {shortDay(since, today)}</span>
            <ChevronDown aria-hidden className="small" />
          </CardStage>
        </Line>
        <Line label="Next">
          <Field
            label="Next step"
            value={deal.next_what ?? ''}
            placeholder="call back, send deed"
            save={(text) => void updateDeals(client, [id], { next_what: text === '' ? null : text })}
          />
          <Field
            label="Day of the next step"
            value={deal.next_on === null ? '' : nextWords(deal.next_on, today)}
            placeholder="fri, +7"
            className="day"
            save={(text) => {
              const day = typedDay(text, today);
              if (day !== undefined) void updateDeals(client, [id], { next_on: day });
            }}
          />
        </Line>
        <Line label="Offer">
          <Dollars label="Offer" field="offer" deal={deal} />
        </Line>
        {deal.offer === null ? null : (
          <p className="quieter formula">
            {deal.offer_formula ?? 'no value then to reckon it from'}
            {deal.offered_on === null ? '' : `, set ${shortDay(deal.offered_on, today)}`}
          </p>
        )}
        <Line label="Agreed">
          <Dollars label="Agreed" field="agreed" deal={deal} />
        </Line>
        <Line label="Note">
          <Field
            label="Note"
            place="deal-note"
            isLong
            value={deal.note ?? ''}
            placeholder="what to keep in mind"
            save={(text) => void updateDeals(client, [id], { note: text === '' ? null : text })}
          />
        </Line>
        <Timeline deal={deal} today={today} />
      </div>
      <div className="detail-foot">
        <button type="button" className="button" onClick={() => askCall(client, [id])}>
          <Phone aria-hidden />
          Log call <kbd aria-hidden>L</kbd>
        </button>
        <button
          type="button"
          className="button"
          onClick={() => document.querySelector<HTMLElement>('[data-focus=deal-note]')?.focus()}
        >
          <NotebookPen aria-hidden />
          Note
        </button>
        <StageMenu
          ids={[id]}
          stage={stage}
          isOpen={isMenuOpen}
          button="button primary"
          onOpenChange={(isOpen) => editCell(id, isOpen && isOver ? 'stage' : null)}
          onRemove={() => void updateDeals(client, [id], { stage: null })}
        >
          <ArrowRight aria-hidden />
          Move on <kbd aria-hidden>M</kbd>
        </StageMenu>
      </div>
    </>
  );
}

function CardStage({ deal: { property_id: id, stage }, children }: { deal: Deal; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <StageMenu ids={[id]} stage={stage} isOpen={isOpen} onOpenChange={setOpen} button="button stage-button">
      {children}
    </StageMenu>
  );
}

const nothing = () => {};

const Where = ({ deal, point }: { deal: Deal; point: [number, number] }) => (
  <div className="deal-map">
    <CompsMap
      comps={[]}
      circle={null}
      center={point}
      propertyId={deal.property_id}
      fips={deal.fips}
      selected={null}
      highlighted={null}
      onSelect={nothing}
      onHighlight={nothing}
      onCircle={nothing}
    />
  </div>
);

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="deal-line">
    <span className="quieter deal-label">{label}</span>
    {children}
  </div>
);

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly className?: string;
  readonly place?: string;
  readonly isLong?: true;
  readonly unit?: string;
  readonly save: (text: string) => void;
}

/** Keeps on Enter and when left; Escape leaves it as it was. */
function Field({ label, value, placeholder, className = '', place, isLong, unit, save }: FieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const keep = () => {
    if (typed !== null && typed.trim() !== value.trim()) save(typed.trim());
    setTyped(null);
  };
  const field = {
    'aria-label': label,
    'data-focus': place,
    value: typed ?? value,
    placeholder,
    onChange: ({ target }: { target: { value: string } }) => setTyped(target.value),
    onBlur: keep,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key === 'Enter' && !event.shiftKey) {
        event.preventDefault();
        event.currentTarget.blur();
      } else if (event.key === 'Escape') {
        event.stopPropagation();
        setTyped(null);
      }
    },
  };
  return (
    <span className={`field ${isLong ? 'area' : ''} ${className}`.trim()}>
      {unit ? <span className="unit">{unit}</span> : null}
      {isLong ? <textarea rows={2} maxLength={20_000} {...field} /> : <input maxLength={200} {...field} />}
    </span>
  );
}

function Dollars({ label, field, deal }: { label: string; field: 'offer' | 'agreed'; deal: Deal }) {
  const client = useClient();
  const value = deal[field];
  return (
    <Field
      label={`${label}, $`}
      unit="$"
      className="dollars"
      value={value === null ? '' : formatNumber(value)}
      placeholder="none"
      save={(text) => {
        const number = parseNumber(text);
        if (number === null || (number !== undefined && number < 0))
          return toast(`Dollars are like 50,000; found “${text}”.`);
        void updateDeals(client, [deal.property_id], { [field]: number === undefined ? null : Math.round(number) });
      }}
    />
  );
}

type Entry = NonNullable<Deal['timeline']>[number];

const looks: Readonly<Record<Entry['what'], readonly [icon: LucideIcon, words: string]>> = {
  stage: [Circle, 'Stage'],
  offer: [HandCoins, 'Offer'],
  agreed: [HandCoins, 'Agreed'],
  call: [Phone, 'Call'],
  mail: [Mail, 'Mailed'],
  reply: [Reply, 'Reply'],
  visit: [MapPin, 'Visit'],
  note: [NotebookPen, 'Note'],
};

const Timeline = ({ deal, today }: { deal: Deal; today: string }) => (
  <section aria-label="Timeline" className="timeline">
    <h3>Timeline</h3>
    <ol>
      {(deal.timeline ?? []).map(({ at, what, detail }, i) => {
        const [Icon, words] = looks[what];
        const stage = what === 'stage' ? stageOfText(detail ?? '') : null;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name of their own, and only grow
          <li key={`${at} ${i}`}>
            <span className="quieter num">{shortDay(localDay(new Date(at)), today)}</span>
            {stage ? <StageMark stage={stage} /> : <Icon aria-hidden className="small" />}
            <span>
              <b>{what === 'stage' ? (detail ?? '') : words}</b>
              {what === 'stage' || detail === null ? '' : ` · ${detail}`}
            </span>
          </li>
        );
      })}
    </ol>
  </section>
);
