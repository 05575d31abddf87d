/** Today's date, for mapping proposals. */
export const isoToday = (): string => new Date().toISOString().slice(0, 10);
