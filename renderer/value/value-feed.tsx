/** A spreadsheet cell that shows one number of the value, and follows it. */
import { ChevronDown, Rss } from 'lucide-react';
import { feedPriceWords, makeFeed } from '../export/feed-state.ts';
import { MenuLine } from '../export/menu-line.tsx';
import { Menu, MenuCaption } from '../parts/menu.tsx';
import { useClient } from '../state/client-context.tsx';
import { fourNumbers } from './four-numbers.tsx';

interface ValueFeedProps {
  readonly propertyId: number;
  readonly apn: string;
  /** The price of the value, from home.prices. */
  readonly price: number | null;
}

export function ValueFeed({ propertyId, apn, price }: ValueFeedProps) {
  const client = useClient();
  const make = (field: string, label: string) =>
    void makeFeed(client, { kind: 'value', name: `${apn} ${label.toLowerCase()}`, input: { id: propertyId, field } });
  return (
    <Menu
      label="Live feed of a number"
      face={
        <>
          <Rss aria-hidden />
          <ChevronDown aria-hidden className="small" />
        </>
      }
      button="quiet"
      className="value-feed-menu"
    >
      <MenuCaption>An address for one cell; {feedPriceWords(price)}</MenuCaption>
      {fourNumbers.map(({ name, label }) => (
        <MenuLine key={name} label={label} onSelect={() => make(name, label)} />
      ))}
    </Menu>
  );
}
