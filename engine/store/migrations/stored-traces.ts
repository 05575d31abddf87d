/**
 * Results of skip traces in the app, so that showing them again costs nothing. `asked` is the person looked for: once
 * the parcel's record names another owner, the numbers belong to a former one. Personal data, so in people.sqlite.
 * subject: `parcel 12`, or `person …` for a typed name.
 */
export const storedTracesSql = `
CREATE TABLE stored_traces (
  subject TEXT PRIMARY KEY,
  asked TEXT NOT NULL,
  result TEXT NOT NULL,
  traced_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX stored_traces_traced_at ON stored_traces (traced_at);
`;
