/** The cells of letters: owner, values, offers with their formulas, why one is doubtful, what was said of it. */
import { doubtKinds, type ReplyOutcome, replyOutcomes, withheldReasons } from '../../engine/spec/mailings.ts';
import { rangeWords } from '../desk/money-words.ts';
import { formatNumber, plural } from '../parts/format.ts';
import { useClient } from '../state/client-context.tsx';
import type { Column } from './letter-grid.tsx';
import { type Choice, chooseLetters, type Letter, type Mailing } from './mailing-state.ts';

type Land = Pick<Letter, 'property_id' | 'apn' | 'owner_name' | 'acres'>;

export const apnColumn = (label: string): Column<Land> => ({
  ...{ id: 'apn', label, isNumber: false, width: [4.75], ordering: 'apn' },
  title: ({ apn }) => apn ?? undefined,
  cell: ({ apn }) => <span className="apn">{apn || 'no APN'}</span>,
});

export const ownerColumn: Column<Land> = {
  ...{ id: 'owner', label: 'Owner', isNumber: false, width: [7, 1.4], ordering: 'owner_name' },
  title: ({ owner_name: name }) => name ?? undefined,
  cell: ({ owner_name: name }) => name ?? <span className="null">not published</span>,
};

export const acresColumn: Column<Land> = {
  ...{ id: 'acres', label: 'Acres', isNumber: true, width: [4.25], from: 40, ordering: 'acres' },
  cell: ({ acres }) => (acres === null ? <span className="null">unknown</span> : formatNumber(acres, 1)),
};

export const valueColumn: Column<Letter> = {
  ...{ id: 'value', label: 'Value, $', isNumber: true, width: [6], from: 44, ordering: 'value_low' },
  cell: (letter) => rangeWords(letter) ?? <span className="null">no value yet</span>,
};

/** Dollars; what keeps an offer back is said. */
export const OfferWords = ({ letter: { offer, withheld } }: { letter: Letter }) =>
  offer === null ? (
    <span className="null">{withheld === null ? 'no offer' : 'kept back'}</span>
  ) : (
    <span className="medium">{formatNumber(offer)}</span>
  );

export const offerTitle = ({ offer_formula: formula, withheld }: Letter): string | undefined =>
  formula ??
  (withheld === null
    ? undefined
    : `No offer until you keep it: ${withheldReasons[withheld as keyof typeof withheldReasons]}`);

export const offerColumn: Column<Letter> = {
  ...{ id: 'offer', label: 'Offer, $', isNumber: true, width: [4.75], ordering: 'offer' },
  title: offerTitle,
  cell: (letter) => <OfferWords letter={letter} />,
};

/** Not of the value itself: the letter may go to the wrong person, or carry a wrong offer. */
const grave: readonly string[] = ['new_owner', 'offer_high', 'offer_low', 'same_address'];

export const Why = ({ letter: { doubts } }: { letter: Letter }) => {
  const [first, ...more] = doubts;
  if (!first) return null;
  return (
    <>
      <span className={`tag ${grave.includes(first.kind) ? 'bad' : 'warn'}`}>{doubtKinds[first.kind].label}</span>{' '}
      <span className="small-text quieter">
        {first.words}
        {more.length === 0 ? '' : `; ${more.map(({ kind }) => doubtKinds[kind].label).join(', ')}`}
      </span>
    </>
  );
};

export const whyTitle = ({ doubts }: Letter): string => doubts.map(({ words }) => words).join('; ');

const choices: readonly { readonly value: Choice; readonly label: string }[] = [
  { value: 'keep', label: 'Keep' },
  { value: 'leave_out', label: 'Leave out' },
];

/** A press on what was said takes it back. */
export function ChoiceButtons({ mailing, letter }: { mailing: number; letter: Letter }) {
  const client = useClient();
  const { property_id: id, apn, choice } = letter;
  return (
    <span className="segments choice-buttons">
      {choices.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={choice === value}
          aria-label={`${label} ${apn || id}`}
          onClick={(event) => {
            event.stopPropagation();
            void chooseLetters(client, mailing, [id], choice === value ? null : value);
          }}
        >
          {label}
        </button>
      ))}
    </span>
  );
}

/** The last reply to each parcel's letter. */
export const outcomesOf = ({ replies }: Mailing): ReadonlyMap<number, ReplyOutcome> =>
  new Map(replies.toReversed().map(({ property_id: id, outcome }) => [id, outcome]));

export function Flags({ letter, outcome }: { letter: Letter; outcome: ReplyOutcome | undefined }) {
  const { others, choice, state, doubts, withheld } = letter;
  const [doubt] = doubts;
  return (
    <span className="line flags">
      {outcome ? <span className="tag accent">{replyOutcomes[outcome]}</span> : null}
      {state === 'returned' ? <span className="tag warn">came back</span> : null}
      {others.length > 0 ? <span className="tag">{plural(others.length, 'other', 'others')}</span> : null}
      {choice === 'keep' ? <span className="tag">kept by you</span> : null}
      {withheld ? <span className="tag warn">{withheldReasons[withheld as keyof typeof withheldReasons]}</span> : null}
      {doubt && choice !== 'keep' ? <span className="tag warn">{doubtKinds[doubt.kind].label}</span> : null}
    </span>
  );
}
