/** Actions for parcels selected together; Mail merge and Export take them along. */
import { ListPlus, MailX, Star, Tag, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatNumber } from '../parts/format.ts';
import { useClient } from '../state/client-context.tsx';
import { navigation } from '../state/navigation.ts';
import { makeChange } from '../work/make-change.ts';
import { toggleStars } from '../work/work-commands.ts';
import { explore } from './explore-state.ts';

export function SelectionBar({ ids }: { ids: readonly number[] }) {
  const client = useClient();
  return (
    <div className="selection-bar" role="toolbar" aria-label="Selected parcels">
      <b className="nowrap">{formatNumber(ids.length)} selected</b>
      <Action icon={<Star aria-hidden />} label="Star" onPress={() => void toggleStars(client, ids)} />
      <Action icon={<Tag aria-hidden />} label="Tag" onPress={() => navigation.set({ over: 'tag' })} />
      <Action
        icon={<ListPlus aria-hidden />}
        label="Add to list"
        onPress={() => navigation.set({ over: 'add-to-list' })}
      />
      <Action
        icon={<MailX aria-hidden />}
        label="Do not mail"
        onPress={() => void makeChange(client, 'do_not_mail_add_all', { ids })}
      />
      <Action
        icon={<X aria-hidden />}
        label="Clear the selection"
        isShort
        onPress={() => explore.set({ selectedMany: [] })}
      />
    </div>
  );
}

interface ActionProps {
  readonly icon: ReactNode;
  readonly label: string;
  /** Shows only the icon. */
  readonly isShort?: true;
  readonly onPress: () => void;
}

const Action = ({ icon, label, isShort, onPress }: ActionProps) => (
  <button type="button" className="button quiet" aria-label={label} title={label} onClick={onPress}>
    {icon}
    {isShort ? null : <span className="roomy">{label}</span>}
  </button>
);
