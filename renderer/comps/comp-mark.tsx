/** ● sold ◐ pending ○ active: shapes distinguish them, so that color is not needed. */
export type CompStatus = 'SOLD' | 'PENDING' | 'ACTIVE';

export const statusWords: Readonly<Record<CompStatus, string>> = { SOLD: 'sold', PENDING: 'pending', ACTIVE: 'active' };

const radius = 4.5;

/** The dot itself, around the origin of its own small picture. @param x, @param y also in percent */
export const CompDot = ({
  status,
  x,
  y,
  r = radius,
  isRaw = false,
}: {
  status: CompStatus;
  x: number | string;
  y: number | string;
  r?: number;
  isRaw?: boolean;
}) => {
  const tone = isRaw ? ' raw' : '';
  if (status !== 'PENDING')
    return <circle cx={x} cy={y} r={r} className={`${status === 'SOLD' ? 'comp-full' : 'comp-ring'}${tone}`} />;
  return (
    <svg x={x} y={y} overflow="visible" aria-hidden="true">
      <circle r={r} className={`comp-ring${tone}`} />
      <path d={`M0 ${-r}A${r} ${r} 0 0 0 0 ${r}Z`} className={`comp-full${tone}`} />
    </svg>
  );
};

/** In a line of text. @param isNamed announces the status to screen readers if no word stands beside it */
export const CompMark = ({ status, isNamed = false }: { status: CompStatus; isNamed?: boolean }) => (
  <span className="comp-mark">
    <svg width="12" height="12" aria-hidden="true">
      <CompDot status={status} x={6} y={6} />
    </svg>
    {isNamed ? <span className="sr">{statusWords[status]}</span> : null}
  </span>
);

export const CompKey = ({ children }: { children?: React.ReactNode }) => (
  <p className="comp-key small-text quieter">
    {(['SOLD', 'PENDING', 'ACTIVE'] as const).map((status) => (
      <span key={status}>
        <CompMark status={status} /> {statusWords[status]}
      </span>
    ))}
    {children}
  </p>
);
