/** A dialog over the window. Radix's own overlay is not used: it puts a style into the page, which the policy refuses. */
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';

export function Overlay({
  name,
  title,
  isTitled = false,
  children,
}: {
  name: 'palette' | 'shortcuts' | 'trace' | 'tag' | 'add-to-list' | 'name';
  title: string;
  /** Whether the title is seen, or only heard. */
  isTitled?: boolean;
  children: ReactNode;
}) {
  const { over } = useStore(navigation);
  return (
    <Dialog.Root open={over === name} onOpenChange={(isOpen) => navigation.set({ over: isOpen ? name : null })}>
      <Dialog.Portal>
        <div className="backdrop" aria-hidden />
        <Dialog.Content className="dialog" aria-describedby={undefined}>
          <Dialog.Title className={isTitled ? 'dialog-title' : 'sr'}>{title}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
