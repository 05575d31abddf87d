/** The zooms of the map from which things of the ground are shown: tiles leave out what none shows. */
export const mapZooms = {
  mainRoads: 9,
  shields: 10.5,
  streams: 11,
  localRoads: 12,
  places: 8,
  summits: 12,
  streamNames: 12.5,
  riverNames: 11,
  waterNames: 12.2,
  publicNames: 12.5,
  roadNames: 13,
  localRoadNames: 15,
  buildings: 13.5,
  townships: 8,
  sections: 11,
  sectionNumbers: 12,
  sectionParts: 14,
  /** 1:15,000. */
  lotLabels: 13.8,
} as const;
