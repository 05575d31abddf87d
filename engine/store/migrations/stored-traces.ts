/**
 * What a skip trace in the app has found, so that it is seen again without another charge. `asked` is who was looked for:
 * once the parcel's record names somebody else, the numbers are those of a former owner. Of people, so in people.sqlite.
 * subject: `parcel 12`, or `person …` where the name was typed.
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
