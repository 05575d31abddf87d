/** What was just done, with a button to undo it. */
import { X } from 'lucide-react';
import { useStore } from '../state/store.ts';
import { dismissToast, toasts } from '../state/toasts.ts';

export function Toasts() {
  const { shown } = useStore(toasts);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text, action }) => (
        <div key={id} className="toast">
          <span className="grow">{text}</span>
          {action ? (
            <button
              type="button"
              className="button"
              onClick={() => {
                action.run();
                dismissToast(id);
              }}
            >
              {action.label}
            </button>
          ) : null}
          <button type="button" className="button icon" aria-label="Dismiss" onClick={() => dismissToast(id)}>
            <X aria-hidden />
          </button>
        </div>
      ))}
    </div>
  );
}
