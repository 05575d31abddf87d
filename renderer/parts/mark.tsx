/** Platbook's logo: a county divided into lots, one of them chosen. */
export const Mark = ({ width = 1.6 }: { width?: number }) => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={width}
    strokeLinejoin="round"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path d="M12.6 4 20.5 7.6l-1.2 6.6-7.4-1.8Z" fill="var(--accent)" stroke="none" />
    <path d="M3.5 7 12.6 4l7.9 3.6L18.2 20 7 20.6 3.5 14.8Z" />
    <path d="M12.6 4 11.9 12.4 9.9 20.4M3.5 14.8l8.4-2.4 7.4 1.8" />
  </svg>
);
