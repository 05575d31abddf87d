/** A dialog over the window. Radix's own overlay is not used: it inserts a style element, which the policy blocks. */
import { Dialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { focusBack, lastPlace } from '../state/focus-place.ts';
import { navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';

interface DialogWindowProps {
  readonly title: string;
  /** Whether the title is visible, or only for screen readers. */
  readonly isTitled?: boolean;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

export function DialogWindow({ title, isTitled = false, isOpen, onOpenChange, children }: DialogWindowProps) {
  // Radix knows no button that opened it, to which it could return the focus.
  const before = useRef<HTMLElement | null>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <div className="backdrop" aria-hidden />
        <Dialog.Content
          className="dialog"
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            before.current = lastPlace();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusBack(before.current);
          }}
        >
          <Dialog.Title className={isTitled ? 'dialog-title' : 'sr'}>{title}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface OverlayProps extends Pick<DialogWindowProps, 'title' | 'isTitled' | 'children'> {
  readonly name: NonNullable<ReturnType<typeof navigation.get>['over']>;
}

/** One of the dialogs of which only one is open at a time. */
export function Overlay({ name, ...rest }: OverlayProps) {
  const { over } = useStore(navigation);
  return (
    <DialogWindow
      {...rest}
      isOpen={over === name}
      onOpenChange={(isOpen) => navigation.set({ over: isOpen ? name : null })}
    />
  );
}
