/** What the user brings back from the field: waypoints, tracks, photos. */

/**
 * The journal undoes the rows of `waypoints`, `tracks` and `photos`. A track's points and its end are outside it: undo takes
 * back the track, not each batch. They have no foreign key, because a track that is taken back may come again.
 * `photo_files` names the files that Platbook has put into `photos/`, so that it removes none that it did not put there.
 */
export const fieldSql = `
CREATE TABLE waypoints (
  waypoint_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  note TEXT,
  longitude REAL NOT NULL,
  latitude REAL NOT NULL,
  accuracy_meters REAL,
  property_id INTEGER,
  made_at TEXT NOT NULL
);
CREATE TABLE tracks (
  track_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  started_at TEXT NOT NULL
);
CREATE TABLE track_logs (
  track_id INTEGER PRIMARY KEY,
  ended_at TEXT
);
CREATE TABLE track_points (
  track_id INTEGER NOT NULL,
  at TEXT NOT NULL,
  longitude REAL NOT NULL,
  latitude REAL NOT NULL,
  accuracy_meters REAL,
  course REAL,
  speed REAL,
  PRIMARY KEY (track_id, at)
) WITHOUT ROWID;
CREATE TABLE photos (
  photo_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  file TEXT NOT NULL,
  media_type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  longitude REAL,
  latitude REAL,
  place_from TEXT CHECK (place_from IN ('photo', 'given')),
  property_id INTEGER,
  taken_at TEXT,
  added_at TEXT NOT NULL,
  CHECK ((longitude IS NULL) = (place_from IS NULL) AND (longitude IS NULL) = (latitude IS NULL)),
  CHECK (longitude IS NOT NULL OR property_id IS NOT NULL)
);
CREATE TABLE photo_files (
  file TEXT PRIMARY KEY,
  kept_at TEXT NOT NULL
) WITHOUT ROWID;
`;

/**
 * What comes in from other apps: elevations, symbols, texts that have no column here, segments, points without a time.
 * `place` is 0 for recorded points, whose time tells them apart, and counts those of a file from 1, where times may be
 * missing (an empty text) or equal. `source_key` names the content of the file's mark, so that it comes in once.
 */
export const walksSql = `
ALTER TABLE waypoints ADD COLUMN elevation_m REAL;
ALTER TABLE waypoints ADD COLUMN symbol TEXT;
ALTER TABLE waypoints ADD COLUMN extras TEXT;
ALTER TABLE waypoints ADD COLUMN source_key TEXT;
ALTER TABLE tracks ADD COLUMN note TEXT;
ALTER TABLE tracks ADD COLUMN extras TEXT;
ALTER TABLE tracks ADD COLUMN source_key TEXT;
ALTER TABLE track_points RENAME TO recorded_points;
CREATE TABLE track_points (
  track_id INTEGER NOT NULL,
  place INTEGER NOT NULL DEFAULT 0,
  at TEXT NOT NULL,
  longitude REAL NOT NULL,
  latitude REAL NOT NULL,
  accuracy_meters REAL,
  course REAL,
  speed REAL,
  segment INTEGER NOT NULL DEFAULT 1,
  elevation_m REAL,
  extras TEXT,
  PRIMARY KEY (track_id, place, at)
) WITHOUT ROWID;
INSERT INTO track_points (track_id, at, longitude, latitude, accuracy_meters, course, speed)
  SELECT track_id, at, longitude, latitude, accuracy_meters, course, speed FROM recorded_points;
DROP TABLE recorded_points;
`;

/**
 * Photos placed by time, and visits to land. A photo with a `track_id` was placed on that track, `place_from` aside: a
 * rebuilt table would lose ids that an undo brings back. `staged_photos` are kept originals that no photo names yet.
 * `content` of a visit is JSON.
 */
export const visitsSql = `
ALTER TABLE photos ADD COLUMN track_id INTEGER;
ALTER TABLE photos ADD COLUMN place_error_m INTEGER;
ALTER TABLE photos ADD COLUMN heading REAL;
ALTER TABLE photos ADD COLUMN heading_is_magnetic INTEGER;
ALTER TABLE photos ADD COLUMN camera TEXT;
ALTER TABLE photos ADD COLUMN taken_utc TEXT;
ALTER TABLE photos ADD COLUMN caption TEXT;
CREATE TABLE staged_photos (
  file TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  facts TEXT NOT NULL,
  staged_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE visit_fields (
  field_id INTEGER PRIMARY KEY AUTOINCREMENT,
  label TEXT NOT NULL,
  position INTEGER NOT NULL
);
INSERT INTO visit_fields (label, position) VALUES ('Gate', 1), ('Access', 2), ('Use seen', 3), ('Lines', 4),
  ('Structures', 5), ('Water', 6), ('Dumping, fire', 7), ('Hazards', 8);
CREATE TABLE visits (
  visit_id INTEGER PRIMARY KEY AUTOINCREMENT,
  property_id INTEGER NOT NULL,
  day TEXT NOT NULL,
  content TEXT NOT NULL,
  made_at TEXT NOT NULL
);
`;
