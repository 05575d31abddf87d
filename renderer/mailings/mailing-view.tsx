/** A mailing: its rule and who gets none, its letters, and what came back. */
import { ChevronRight, Download, Ellipsis, Mail, MailCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { localDay, shortDay } from '../desk/next-date.ts';
import { saveFile } from '../export/save-file.ts';
import { listView, showList } from '../lists/list-state.ts';
import { plural } from '../parts/format.ts';
import { LaterItem, Menu } from '../parts/menu.tsx';
import { PopoverButton } from '../parts/popover-button.tsx';
import { Segments } from '../parts/segments.tsx';
import { ErrorState, Skeleton } from '../parts/states.tsx';
import { useWidthInRem } from '../parts/use-width.ts';
import { useIsTiny } from '../parts/use-window-width.ts';
import { useClient, useLate, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { makeChange } from '../work/make-change.ts';
import { askName } from '../work/name-dialog.tsx';
import { AfterPane } from './after-pane.tsx';
import { AllLetters, Without } from './all-letters.tsx';
import { offerTitle } from './letter-cells.tsx';
import { LookAt } from './look-at.tsx';
import type { LeftOut, Mailing, Mailings } from './mailing-state.ts';
import { PhoneLetters } from './phone-letters.tsx';
import { RulePane } from './rule-pane.tsx';

/** Widths in rem, beside the rail: below them a part becomes a tab. */
const withAfter = 73.5;
const withRule = 64.75;

const parts = [
  { value: 'letters', label: 'Letters' },
  { value: 'rule', label: 'Rule' },
  { value: 'after', label: 'After mailing' },
] as const;
type Part = (typeof parts)[number]['value'];

export function MailingView({ id, mailings }: { id: number; mailings: Mailings }) {
  const { data, error, isPending, refetch } = useRead('mailing', { mailing_id: id }, { isLasting: true });
  const isSlow = useLate(isPending);
  const frame = useRef<HTMLDivElement>(null);
  const widthRem = useWidthInRem(frame);
  const mailing = data?.mailing_id === id ? data : undefined;
  return (
    <div ref={frame} className="mailing">
      {error ? <ErrorState title="The mailing could not be read" error={error} onRetry={() => void refetch()} /> : null}
      {isSlow && !mailing ? <Skeleton label="Reading the mailing" /> : null}
      {mailing && !error && widthRem > 0 ? <Parts mailing={mailing} mailings={mailings} widthRem={widthRem} /> : null}
    </div>
  );
}

interface PartsProps {
  readonly mailing: Mailing;
  readonly mailings: Mailings;
  readonly widthRem: number;
}

function Parts({ mailing, mailings, widthRem }: PartsProps) {
  const [part, setPart] = useState<Part>('letters');
  const [without, setWithout] = useState<LeftOut['reason'] | null>(null);
  const beside: Readonly<Record<Part, boolean>> = {
    ...{ letters: false, rule: widthRem >= withRule, after: widthRem >= withAfter },
  };
  const tabs = parts.filter(({ value }) => !beside[value]);
  const shown = beside[part] ? 'letters' : part;
  const rule = (
    <RulePane
      mailing={mailing}
      others={mailings}
      without={without}
      onWithout={(reason) => {
        setWithout(reason);
        setPart('letters');
      }}
    />
  );
  const after = <AfterPane mailing={mailing} mailings={mailings} />;
  return (
    <>
      {beside.rule ? rule : null}
      <section className="page" aria-label={mailing.name}>
        <Head mailing={mailing} />
        {tabs.length > 1 ? (
          <div className="mailing-tabs">
            <Segments label="Part of the mailing" value={shown} choices={tabs} onChange={setPart} />
          </div>
        ) : null}
        {shown === 'letters' ? (
          <Letters mailing={mailing} without={without} onWithout={setWithout} />
        ) : shown === 'rule' ? (
          rule
        ) : (
          after
        )}
      </section>
      {beside.after ? after : null}
    </>
  );
}

interface LettersProps {
  readonly mailing: Mailing;
  readonly without: LeftOut['reason'] | null;
  readonly onWithout: (reason: LeftOut['reason'] | null) => void;
}

function Letters({ mailing, without, onWithout }: LettersProps) {
  const body = useRef<HTMLDivElement>(null);
  const widthRem = useWidthInRem(body);
  const isPhone = useIsTiny();
  const group = mailing.left_out.find(({ reason }) => reason === without);
  const chosen = useFormula(mailing);
  const hasLook = mailing.look_at.length > 0 && !isPhone;
  return (
    <>
      <div ref={body} className="letters-body">
        {hasLook && widthRem > 0 ? <LookAt mailing={mailing} widthRem={widthRem} /> : null}
        {group ? (
          <Without mailing={mailing} group={group} onClose={() => onWithout(null)} />
        ) : isPhone ? (
          <PhoneLetters mailing={mailing} />
        ) : (
          <AllLetters mailing={mailing} widthRem={widthRem} place={hasLook ? 'letters' : 'table'} />
        )}
      </div>
      <footer className="list-foot letters-foot small-text quieter" aria-live="polite">
        {chosen
          ? chosen
          : mailing.written_on === null
            ? 'Offers are fixed with their formula when the letters are written. The words of the letter are yours: Platbook fills in the fields.'
            : 'The words of the letter are yours: Export gives code, owner, address, parcel and offer for a mail merge. What may be sent to whom is for you to know.'}
      </footer>
    </>
  );
}

/** How the offer of the one chosen letter was reckoned. */
function useFormula({ letters }: Mailing): string | null {
  const [only, second] = useStore(listView).selected;
  const letter = second === undefined ? letters.find(({ property_id: id }) => id === only) : undefined;
  const words = letter ? offerTitle(letter) : undefined;
  return words === undefined ? null : `${letter?.apn || 'Offer'}: ${words}`;
}

function Head({ mailing }: { mailing: Mailing }) {
  const { name, list_id: list, list_name: listName, letters, written_on: written, mailed_on: mailed } = mailing;
  const client = useClient();
  const today = localDay();
  const state =
    mailed !== null
      ? `sent ${shortDay(mailed, today)}`
      : written === null
        ? 'draft'
        : `written ${shortDay(written, today)}`;
  return (
    <header className="page-head mailing-head">
      <div className="mailing-name">
        <nav className="small-text quieter line" aria-label="Where this is">
          <button type="button" className="link" onClick={() => showList({ kind: 'list', id: list })}>
            Lists
          </button>
          <ChevronRight aria-hidden className="small" />
          {listName === null ? (
            'its list was deleted'
          ) : (
            <button type="button" className="link ellipsis" onClick={() => showList({ kind: 'list', id: list })}>
              {listName}
            </button>
          )}
        </nav>
        <h1 className="ellipsis" title={name}>
          {name}
        </h1>
      </div>
      <span className="grow" />
      <span className="tag">{state}</span>
      {written === null ? (
        <button
          type="button"
          className="button primary"
          disabled={letters.length === 0}
          onClick={() => void makeChange(client, 'write_letters', { mailing_id: mailing.mailing_id })}
        >
          <Mail aria-hidden />
          Write {plural(letters.length, 'letter', 'letters')}
        </button>
      ) : (
        <>
          <button type="button" className="button" onClick={() => void exportLetters(client, mailing)}>
            <Download aria-hidden />
            Export
          </button>
          <Sent mailing={mailing} />
        </>
      )}
      <MailingMenu mailing={mailing} />
    </header>
  );
}

async function exportLetters(client: ReturnType<typeof useClient>, { mailing_id: id }: Mailing): Promise<void> {
  try {
    const made = await client.read('make_letters_csv', { mailing_id: id });
    saveFile(made);
    toast(`${made.name}: ${plural(made.letters, 'letter', 'letters')} with codes, addresses and offers.`);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

function Sent({ mailing: { mailing_id: id, letters, mailed_on: mailed } }: { mailing: Mailing }) {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const [day, setDay] = useState(() => localDay());
  if (mailed !== null) return null;
  const mark = async () => {
    if (await makeChange(client, 'mark_sent', { mailing_id: id, on: day })) setOpen(false);
  };
  return (
    <PopoverButton
      face={
        <>
          <MailCheck aria-hidden />
          Mark as sent
        </>
      }
      button="button primary"
      label="Mark as sent"
      className="add-columns"
      isOpen={isOpen}
      onOpen={setOpen}
    >
      <form
        className="add-column"
        onSubmit={(event) => {
          event.preventDefault();
          if (day !== '') void mark();
        }}
      >
        <h3>{plural(letters.length, 'letter', 'letters')} went out on</h3>
        <div className="line">
          <label className="field">
            <span className="sr">Day</span>
            <input type="date" value={day} onChange={({ target }) => setDay(target.value)} />
          </label>
          <button type="submit" className="button primary" disabled={day === ''}>
            Mark
          </button>
        </div>
        <p className="small-text quieter">Their deals move to Mailed.</p>
      </form>
    </PopoverButton>
  );
}

function MailingMenu({ mailing: { mailing_id: id, name } }: { mailing: Mailing }) {
  const client = useClient();
  const rename = () =>
    askName({
      ...{ title: 'Rename the mailing', label: 'Name of the mailing', value: name, button: 'Rename' },
      done: async (given) => (await makeChange(client, 'change_mailing', { mailing_id: id, name: given })) !== null,
    });
  return (
    <Menu label="More to do with the mailing" face={<Ellipsis aria-hidden />}>
      <LaterItem onSelect={rename}>Rename</LaterItem>
      <LaterItem onSelect={() => void makeChange(client, 'delete_mailing', { mailing_id: id })}>
        Delete the mailing
      </LaterItem>
    </Menu>
  );
}
