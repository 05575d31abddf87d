/** What was just done, with buttons to undo it or to go on with it. */
import { X } from 'lucide-react';
import { useStore } from '../state/store.ts';
import { dismissToast, toasts } from '../state/toasts.ts';

export function Toasts() {
  const { shown } = useStore(toasts);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text, actions }) => (
        <div key={id} className="toast">
          <span className="grow">{text}</span>
          {actions.map(({ label, run }) => (
            <button
              key={label}
              type="button"
              className="button"
              onClick={() => {
                run();
                dismissToast(id);
              }}
            >
              {label}
            </button>
          ))}
          <button type="button" className="button icon" aria-label="Dismiss" onClick={() => dismissToast(id)}>
            <X aria-hidden />
          </button>
        </div>
      ))}
    </div>
  );
}
