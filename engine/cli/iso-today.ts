/** The day on which a command is typed, as proposals of mappings ask for it. */
export const isoToday = (): string => new Date().toISOString().slice(0, 10);
