/** Parts of the wizard's steps: the list of steps, the footer with its buttons, bytes and times in words. */
import { Check, OctagonAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ClientError } from '../client/engine-client.ts';
import { formatNumber } from '../parts/format.ts';
import { useClient, useLate } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { stopWaiting } from './import-flow.ts';
import { beginAgain, type ImportStep, importing, stepsOf } from './import-state.ts';
import { windowWords } from './window-words.ts';

export function Steps({ at }: { at: ImportStep }) {
  const { what } = useStore(importing);
  const steps = stepsOf(what);
  const reached = steps.findIndex(({ id }) => id === at);
  return (
    <ol className="import-steps" aria-label="Steps of the import">
      {steps.map(({ id, title }, i) => (
        <li key={id} aria-current={i === reached ? 'step' : undefined} data-done={i < reached}>
          <i aria-hidden>{i < reached ? <Check className="small" /> : i + 1}</i>
          {title}
          {i < reached ? <span className="sr">, done</span> : null}
        </li>
      ))}
    </ol>
  );
}

/** A step's buttons, with its progress or error beside them. */
export function Foot({ words, children, back }: { words?: ReactNode; children: ReactNode; back?: ReactNode }) {
  const { busy, error } = useStore(importing);
  const isLate = useLate(busy !== null);
  return (
    <footer className="import-foot">
      {back}
      <div className="grow" aria-live="polite">
        {error ? (
          <Problem error={error} />
        ) : isLate && busy !== null ? (
          <Waiting key={busy} words={busy} />
        ) : (
          <span className="quieter">{words}</span>
        )}
      </div>
      {children}
    </footer>
  );
}

/** The buttons that continue, or leave the import. */
export function NextButtons({
  isReady,
  onNext,
  beside,
  children,
}: {
  isReady: boolean;
  onNext: () => void;
  /** Another way on. */
  beside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <button type="button" className="button" onClick={() => beginAgain()}>
        Cancel
      </button>
      {beside}
      <button type="button" className="button primary" data-focus="import-next" disabled={!isReady} onClick={onNext}>
        {children}
      </button>
    </>
  );
}

const secondsBeforeStop = 2;

/** The current action; a long one shows its time and can be stopped. */
function Waiting({ words }: { words: string }) {
  const client = useClient();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="line quieter">
      <span>{words} …</span>
      {seconds < secondsBeforeStop ? null : (
        <>
          {/* Not announced every second. */}
          <span className="num" aria-hidden>
            {secondsWords(seconds)}
          </span>
          <button type="button" className="button quiet" onClick={() => stopWaiting(client)}>
            Stop
          </button>
        </>
      )}
    </span>
  );
}

export const Problem = ({ error }: { error: Pick<ClientError, 'message'> & { readonly details?: unknown } }) => (
  <p className="import-problem" role="alert">
    <OctagonAlert aria-hidden className="small" />
    <span>{windowWords(error.message)}</span>
  </p>
);

/** A step's heading. It takes the focus when the step begins, for keyboards and screen readers. */
export function StepHeading({ step, children }: { step: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step
  useEffect(() => heading.current?.focus(), [step]);
  return (
    <h1 ref={heading} tabIndex={-1} className="import-title">
      {children}
    </h1>
  );
}

/** The scrolling part between header and footer; the keyboard reaches it even without a button inside. */
export const StepBody = ({ label, testId, children }: { label: string; testId?: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll it
  <section className="import-main scroll padded" aria-label={label} tabIndex={0} data-testid={testId}>
    {children}
  </section>
);

export const secondsWords = (seconds: number): string =>
  seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${formatNumber(Math.round(seconds / 60), 0)} min`;
