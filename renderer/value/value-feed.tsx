/** A spreadsheet cell that shows one number of the value, and follows it. */
import { ChevronDown, Rss } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { feedPriceWords, makeFeed } from '../export/feed-state.ts';
import { MenuLine } from '../export/menu-line.tsx';
import { useClient } from '../state/client-context.tsx';
import { fourNumbers } from './four-numbers.tsx';

export interface ValueFeedProps {
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
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button quiet" aria-label="Live feed of a number">
        <Rss aria-hidden />
        <ChevronDown aria-hidden className="small" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu value-feed-menu" align="end" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.Label className="menu-caption">
            An address for one cell; {feedPriceWords(price)}
          </DropdownMenu.Label>
          {fourNumbers.map(({ name, label }) => (
            <MenuLine key={name} label={label} docs={name} onSelect={() => make(name, label)} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
