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
  /** A whole one, 1:13,000: from a fraction on, tiles of the zoom before would lay out labels that few see. */
  lotLabels: 14,
} as const;
