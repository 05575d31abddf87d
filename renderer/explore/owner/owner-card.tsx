/** The card of an owner: what is perhaps the same, spellings with reasons, history, and what to do with all the land. */
import { ArrowLeft, Briefcase, Check, Link2, ListPlus, MailX, Minus, Unlink, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { moveTo } from '../../desk/desk-state.ts';
import { ExportMenu } from '../../export/export-menu.tsx';
import { MailMenu } from '../../export/mail-menu.tsx';
import { showBounds } from '../../map/map-state.ts';
import { formatDate, formatMoney, formatNumber, plural } from '../../parts/format.ts';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { useIsNarrow } from '../../parts/use-window-width.ts';
import { useClient, useLate } from '../../state/client-context.tsx';
import { navigation } from '../../state/navigation.ts';
import { settings } from '../../state/settings.ts';
import { useStore } from '../../state/store.ts';
import { makeChange } from '../../work/make-change.ts';
import { closeOwner, explore, select } from '../explore-state.ts';
import { chosenColumns, exportedNames } from '../table-columns.tsx';
import { OwnerTotals } from './owner-totals.tsx';
import { acresWords, type OwnerCardData, useOwner } from './use-owner.ts';

type Owner = OwnerCardData['owner'];
type Related = Owner['perhaps_same'][number];
type Verdict = 'same' | 'different' | 'shares';

export function OwnerCard({ propertyId, width }: { propertyId: number; width: number | null }) {
  const { data, error, isPending, isPlaceholderData, refetch } = useOwner(propertyId);
  const isSlow = useLate(isPending);
  const card = isPlaceholderData ? undefined : data;
  const title = useRef<HTMLHeadingElement>(null);
  const name = card?.owner.name;
  // Once it is there: its land comes into view, and the keyboard to its name.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a card
  useEffect(() => {
    if (!card) return;
    if (card.bounds) showBounds(card.bounds as [number, number, number, number]);
    title.current?.focus();
  }, [propertyId, card === undefined]);
  return (
    <aside
      className="pane owner-card"
      aria-label={name ? `Owner ${name}` : 'Owner'}
      style={width === null ? {} : { width }}
    >
      {error ? <ErrorState title="The owner could not be read" error={error} onRetry={() => void refetch()} /> : null}
      {isSlow && !card ? <Skeleton label="Reading the owner" /> : null}
      {card ? (
        <>
          <div className="owner-head">
            <button type="button" className="link way-back" onClick={() => closeOwner()}>
              <ArrowLeft aria-hidden className="small" />
              Back to Explore
            </button>
            <h2 ref={title} tabIndex={-1} data-focus="owner">
              {name ?? <span className="null">owner not published</span>}
            </h2>
            <p className="quieter">
              {[card.owner.owner_type, card.owner.spellings[0]?.mailing_address].filter(Boolean).join(' · ')}
            </p>
            <Sums card={card} />
          </div>
          <div className="scroll">
            <Content card={card} />
          </div>
          {card.property_ids.length > 0 ? <Foot card={card} /> : null}
        </>
      ) : null}
    </aside>
  );
}

function Sums({ card: { owner, pieces, totals, valued, value_is: kind } }: { card: OwnerCardData }) {
  const worth = totals.filter(({ town }) => town === null).flatMap(({ value }) => value ?? []);
  const figures: readonly (readonly [string, string])[] = [
    [formatNumber(owner.parcel_count), owner.parcel_count === 1 ? 'parcel' : 'parcels'],
    [owner.acres === null ? 'unknown' : formatNumber(owner.acres, 1), 'acres'],
    [formatNumber(pieces.length), pieces.length === 1 ? 'holding' : 'holdings'],
    [
      worth.length === 0 ? 'unknown' : formatMoney(worth.reduce((sum, one) => sum + one, 0)),
      `${kind} value, ${formatNumber(valued)} of ${formatNumber(owner.parcel_count)}`,
    ],
  ];
  return (
    <dl className="owner-sums num">
      {figures.map(([figure, label]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

function Content({ card }: { card: OwnerCardData }) {
  const { owner, history } = card;
  const isNarrow = useIsNarrow();
  return (
    <>
      {owner.is_current ? null : (
        <p className="owner-note" role="status">
          Owners are being worked out again: this card brings itself up to date.
        </p>
      )}
      {owner.spellings.length === 0 && owner.is_current ? (
        <p className="owner-note">The county tells no owner of this parcel.</p>
      ) : null}
      <Proposals title="Perhaps the same" owner={owner} others={owner.perhaps_same} />
      <Proposals title="Shares a person" owner={owner} others={owner.shares_person} />
      {owner.spellings.length > 0 ? <Spellings owner={owner} /> : null}
      {isNarrow ? <OwnerTotals card={card} /> : null}
      <section className="owner-part" aria-label="History">
        <h3>History</h3>
        {history.length === 0 ? <p className="quieter">No sale, note or deal of its parcels.</p> : null}
        <ul className="owner-history">
          {history.map((event) => (
            <li key={`${event.what} ${event.property_id} ${event.at} ${event.text}`}>
              <span className="num quieter">{formatDate(event.at)}</span>
              <span>
                <button type="button" className="link apn" onClick={() => select(event.property_id)}>
                  {event.apn || 'no APN'}
                </button>{' '}
                {eventWords(event)}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function eventWords({ what, text, price }: OwnerCardData['history'][number]): string {
  if (what === 'note') return `note: ${text}`;
  if (what === 'deal') return `deal: ${text}`;
  return ['bought', text && `from ${text}`, price !== null && price > 0 && formatMoney(price)]
    .filter(Boolean)
    .join(' ');
}

const verdicts: readonly {
  readonly verdict: Verdict;
  readonly label: string;
  readonly key: string;
  icon: ReactNode;
}[] = [
  { verdict: 'same', label: 'Same', key: '=', icon: <Link2 aria-hidden /> },
  { verdict: 'different', label: 'Different', key: 'x', icon: <Unlink aria-hidden /> },
  { verdict: 'shares', label: 'Shares a person', key: 'p', icon: null },
];

function Proposals({ title, owner, others }: { title: string; owner: Owner; others: readonly Related[] }) {
  if (others.length === 0) return null;
  return (
    <section className="owner-part" aria-label={title}>
      <h3>
        {title} <span className="tag warn num">{formatNumber(others.length)}</span>
      </h3>
      {others.map((other) => (
        <Proposal key={other.property_id} owner={owner} other={other} as={title.toLowerCase()} />
      ))}
    </section>
  );
}

/** One key decides while the focus is in it; the next one then has the focus. */
function Proposal({ owner, other, as }: { owner: Owner; other: Related; as: string }) {
  const client = useClient();
  const judge = (verdict: Verdict, from: Element) => {
    const own = owner.spellings[0]?.property_id;
    if (own === undefined) return;
    const next = from.nextElementSibling ?? document.querySelector('[data-focus="owner"]');
    // At once: a second key decides the next one.
    if (next instanceof HTMLElement) next.focus();
    void makeChange(client, 'judge_owners', { property_id: own, other_ids: [other.property_id], verdict });
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const found = verdicts.find(({ key }) => key === event.key.toLowerCase());
    if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    judge(found.verdict, event.currentTarget);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys decide
    <fieldset className="proposal" tabIndex={0} aria-label={`${other.name}: ${as}`} onKeyDown={press}>
      <p className="proposal-name">
        <b>{other.name}</b>
        <span className="num quieter">
          {plural(other.parcels, 'parcel', 'parcels')}, {acresWords(other.acres)}
        </span>
      </p>
      <ul>
        {other.reasons.map(({ points, text }) => (
          <li key={text}>
            <ReasonMark points={points} />
            {text}
          </li>
        ))}
      </ul>
      <div className="line wrap">
        {verdicts.map(({ verdict, label, key, icon }) => (
          <button
            key={verdict}
            type="button"
            className={icon === null ? 'button quiet' : 'button'}
            aria-keyshortcuts={key}
            onClick={({ currentTarget }) => judge(verdict, currentTarget.closest('.proposal') as Element)}
          >
            {icon}
            {label}
            <kbd>{key.toUpperCase()}</kbd>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function ReasonMark({ points }: { points: number }) {
  if (points > 0) return <Check aria-label="for" className="small" />;
  return points < 0 ? <X aria-label="against" className="small" /> : <Minus aria-label="neither" className="small" />;
}

function Spellings({ owner: { spellings } }: { owner: Owner }) {
  const client = useClient();
  const part = (id: number) =>
    void makeChange(client, 'judge_owners', {
      property_id: id,
      other_ids: spellings.map(({ property_id: other }) => other).filter((other) => other !== id),
      verdict: 'different',
    });
  return (
    <section className="owner-part" aria-label="Spellings">
      <h3>{spellings.length === 1 ? 'One spelling' : `Joined from ${formatNumber(spellings.length)} spellings`}</h3>
      <ul className="owner-spellings">
        {spellings.map(({ property_id: id, name, mailing_address: address, parcels, joined, reasons }, at) => (
          <li key={id}>
            <span className="grow">
              <b>{name}</b>
              <span className="quieter small-text">{address ?? 'no mailing address'}</span>
              <span className="quieter small-text">
                {at === 0
                  ? 'as most of its parcels have it'
                  : [joined === 'same' ? 'you joined it' : null, ...reasons.map(({ text }) => text)]
                      .filter(Boolean)
                      .join(' · ')}
              </span>
            </span>
            <span className="num nowrap">{plural(parcels, 'parcel', 'parcels')}</span>
            {at === 0 ? null : (
              <button type="button" className="button quiet" aria-label={`Part ${name}`} onClick={() => part(id)}>
                Part
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Foot({ card: { property_ids: ids, owner } }: { card: OwnerCardData }) {
  const client = useClient();
  const { columns } = useStore(settings);
  const exported = {
    ...{ what: { ids }, parcels: ids.length, title: owner.name ?? 'owner' },
    tableColumns: exportedNames(chosenColumns(columns)),
  };
  const list = () => {
    explore.set({ selectedMany: ids });
    navigation.set({ over: 'add-to-list' });
  };
  return (
    <div className="owner-foot">
      <Action icon={<ListPlus aria-hidden />} label="Make a list" onPress={list} />
      <Action
        icon={<Briefcase aria-hidden />}
        label="To the Desk"
        onPress={() => void moveTo(client, ids, 'watching')}
      />
      <Action
        icon={<MailX aria-hidden />}
        label="Do not mail"
        onPress={() => void makeChange(client, 'do_not_mail_add_all', { ids })}
      />
      <MailMenu {...exported} />
      <ExportMenu {...exported} />
    </div>
  );
}

const Action = ({ icon, label, onPress }: { icon: ReactNode; label: string; onPress: () => void }) => (
  <button type="button" className="button" onClick={onPress}>
    {icon}
    {label}
  </button>
);
