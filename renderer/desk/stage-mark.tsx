/** A stage as a filled circle with its word: more is further, green from Under contract on. And the menu that moves it. */
import { ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { type DealStage, dealStages, stageLabel } from '../../engine/spec/deals.ts';
import { useClient } from '../state/client-context.tsx';
import { moveTo } from './desk-state.ts';

/** Pies of a quarter of the way each. */
const pies: Partial<Record<DealStage, string>> = {
  to_mail: 'M7 7V3.5A3.5 3.5 0 0 1 10.33 5.92Z',
  mailed: 'M7 7V3.5A3.5 3.5 0 0 1 9.06 9.83Z',
  replied: 'M7 7V3.5A3.5 3.5 0 1 1 4.94 9.83Z',
  offer_made: 'M7 7V3.5A3.5 3.5 0 1 1 3.67 5.92Z',
};

export function StageMark({ stage }: { stage: DealStage }) {
  const pie = pies[stage];
  return (
    <svg className="stage-mark" data-stage={stage} viewBox="0 0 14 14" aria-hidden>
      <circle className="edge" cx="7" cy="7" r="5.5" />
      {pie ? <path d={pie} /> : null}
      {stage === 'under_contract' ? <circle className="full" cx="7" cy="7" r="3.5" /> : null}
      {stage === 'closed' ? <path className="line" d="M4.4 7.2 6.3 9.1 9.7 5.4" /> : null}
      {stage === 'dropped' ? <path className="line" d="M5 5 9 9M9 5 5 9" /> : null}
    </svg>
  );
}

interface StageMenuProps {
  readonly ids: readonly number[];
  readonly stage: DealStage | null;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly button?: string;
  /** In place of the circle and its word. */
  readonly children?: ReactNode;
  /** Also takes the parcels off the desk. */
  readonly onRemove?: () => void;
  /** Where the focus goes, if not to the button. */
  readonly onClosed?: () => void;
}

/** The first letter of a stage chooses it: no two begin alike. */
export function StageMenu({ ids, stage, isOpen, onOpenChange, button, children, onRemove, onClosed }: StageMenuProps) {
  const client = useClient();
  const choose = (to: DealStage) => {
    onOpenChange(false);
    if (to !== stage || ids.length > 1) void moveTo(client, ids, to);
  };
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger
        className={button ?? 'stage-pill'}
        aria-label={children === undefined && stage !== null ? `Stage: ${stageLabel(stage)}. Move on` : undefined}
        onClick={(event) => event.stopPropagation()}
      >
        {children ?? <StageWord stage={stage ?? 'watching'} />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu stage-menu"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            if (!onClosed) return;
            event.preventDefault();
            onClosed();
          }}
          onKeyDown={(event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            const found = dealStages.find(({ label }) => label[0]?.toLowerCase() === event.key.toLowerCase());
            if (!found) return;
            event.preventDefault();
            choose(found.name);
          }}
        >
          {dealStages.map(({ name, label }) => (
            <DropdownMenu.Item key={name} className="menu-item" onSelect={() => choose(name)}>
              <StageMark stage={name} />
              <span className="grow">{label}</span>
              <kbd>{label[0]}</kbd>
            </DropdownMenu.Item>
          ))}
          {onRemove ? (
            <>
              <DropdownMenu.Separator className="menu-line" />
              <DropdownMenu.Item className="menu-item" onSelect={onRemove}>
                Take off the desk
              </DropdownMenu.Item>
            </>
          ) : null}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export const StageWord = ({ stage, isOpen }: { stage: DealStage; isOpen?: boolean }) => (
  <>
    <StageMark stage={stage} />
    <span className="ellipsis">{stageLabel(stage)}</span>
    {isOpen === undefined ? null : <ChevronDown aria-hidden className="small" />}
  </>
);
