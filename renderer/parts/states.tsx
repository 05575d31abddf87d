/** The states of every screen: loading, empty, error. */
import { Copy, OctagonAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ClientError } from '../client/engine-client.ts';
import { copyText } from './clipboard.ts';

export const Skeleton = ({ label }: { label: string }) => (
  <div className="skeleton" role="status" aria-label={label}>
    <i />
    <i />
    <i />
    <i />
  </div>
);

export const EmptyState = ({
  icon,
  title,
  text,
  children,
}: {
  icon?: ReactNode;
  title: string;
  text: ReactNode;
  children?: ReactNode;
}) => (
  <div className="state">
    {icon}
    <h2>{title}</h2>
    <p>{text}</p>
    {children ? <div className="line wrap">{children}</div> : null}
  </div>
);

const planCodes = ['subscription_required', 'tier_upgrade_required', 'usage_limit_exceeded', 'payment_required'];

/** Only Usage has the words of plans. */
const PlanRefuses = () => (
  <p>
    The plan of this computer does not cover this; nothing was charged.{' '}
    <a className="link" href="#/usage">
      Open Usage
    </a>
  </p>
);

/**
 * @param title what failed, like "The search did not finish"
 * @param retry replaces `onRetry` if a retry may charge: a `PricedRetry`
 */
export const ErrorState = ({
  title,
  error,
  onRetry,
  retry,
}: {
  title: string;
  error: ClientError | Error;
  onRetry?: () => void;
  retry?: ReactNode;
}) => {
  const { code = 'internal_error', requestId = null } = error as Partial<ClientError>;
  return (
    <div className="state left" role="alert">
      <div className="line bad">
        <OctagonAlert aria-hidden />
        <h3>{title}</h3>
      </div>
      {planCodes.includes(code) ? <PlanRefuses /> : <p>{error.message}</p>}
      <div className="line wrap">
        {retry}
        {onRetry ? (
          <button type="button" className="button primary" onClick={onRetry}>
            <RotateCw aria-hidden />
            Try again
          </button>
        ) : null}
        <button
          type="button"
          className="button"
          onClick={() => copyText(`${title}. ${error.message} (request ${requestId}, code ${code})`, 'Details copied')}
        >
          <Copy aria-hidden />
          Copy details
        </button>
      </div>
      <p className="small-text">
        {requestId ? (
          <>
            Request <span className="mono">{requestId}</span>,{' '}
          </>
        ) : null}
        code <span className="mono">{code}</span>
      </p>
    </div>
  );
};
