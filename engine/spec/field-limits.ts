/** What Field mode keeps, how often, and how much of it: for the window that records and the engine that keeps. */

/** A point of a track is kept after this many meters or seconds, whichever comes first. */
export const trackEveryMeters = 3;
export const trackEverySeconds = 5;
/** The same while the battery is low. */
export const trackEverySecondsSaving = 10;
/** The window writes its points this often: what a killed program can lose. */
export const trackWriteSeconds = 10;

export const mostWaypoints = 10_000;
export const mostTracks = 1_000;
/** Nearly six days of a point each 5 seconds. */
export const mostTrackPoints = 100_000;
export const mostPointsAtOnce = 1_000;

/** A file of a walk, and the KML in a KMZ: 55 hours of a point each second. */
export const mostWalkBytes = 32 * 1024 * 1024;
export const mostWalkFiles = 50;
export const mostWalkPoints = 200_000;
export const longestExtras = 4_000;

/** A backup holds at most 10,000 files. */
export const mostPhotos = 5_000;
/** A phone's photo has 2 to 12 MB. */
export const mostPhotoBytes = 32 * 1024 * 1024;

/** Longer notes belong on the parcel. */
export const longestFieldNote = 2_000;
