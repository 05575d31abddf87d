/**
 * The parcels layer as SpatiaLite knows it: R-tree, registration, and the triggers that maintain both when QGIS, ogr or
 * mod_spatialite edit the table. Proven DDL (see spatialite-schema.ts).
 */
export const parcelsLayerSql = `
-- Per layer: table parcels(property_id INTEGER PRIMARY KEY, ..., geom). Column type name must be the geometry type.
CREATE VIRTUAL TABLE "idx_parcels_geom" USING rtree(pkid, xmin, xmax, ymin, ymax);
INSERT INTO geometry_columns VALUES('parcels','geom',6,2,4326,1);
INSERT INTO geometry_columns_auth VALUES('parcels','geom',1,0);
INSERT INTO geometry_columns_time(f_table_name,f_geometry_column) VALUES('parcels','geom');
INSERT INTO geometry_columns_statistics(f_table_name,f_geometry_column) VALUES('parcels','geom');
CREATE TRIGGER "ggi_parcels_geom" BEFORE INSERT ON "parcels" FOR EACH ROW BEGIN SELECT RAISE(ROLLBACK, 'parcels.geom violates Geometry constraint [geom-type or SRID not allowed]') WHERE (SELECT geometry_type FROM geometry_columns WHERE Lower(f_table_name) = Lower('parcels') AND Lower(f_geometry_column) = Lower('geom') AND GeometryConstraints(NEW."geom", geometry_type, srid) = 1) IS NULL; END;
CREATE TRIGGER "ggu_parcels_geom" BEFORE UPDATE OF "geom" ON "parcels" FOR EACH ROW BEGIN SELECT RAISE(ROLLBACK, 'parcels.geom violates Geometry constraint [geom-type or SRID not allowed]') WHERE (SELECT geometry_type FROM geometry_columns WHERE Lower(f_table_name) = Lower('parcels') AND Lower(f_geometry_column) = Lower('geom') AND GeometryConstraints(NEW."geom", geometry_type, srid) = 1) IS NULL; END;
CREATE TRIGGER "gii_parcels_geom" AFTER INSERT ON "parcels" FOR EACH ROW BEGIN DELETE FROM "idx_parcels_geom" WHERE pkid=NEW.ROWID; INSERT INTO "idx_parcels_geom"(pkid,xmin,xmax,ymin,ymax) SELECT NEW.ROWID, MbrMinX(NEW."geom"), MbrMaxX(NEW."geom"), MbrMinY(NEW."geom"), MbrMaxY(NEW."geom") WHERE MbrMinX(NEW."geom") IS NOT NULL; END;
CREATE TRIGGER "giu_parcels_geom" AFTER UPDATE OF "geom" ON "parcels" FOR EACH ROW BEGIN DELETE FROM "idx_parcels_geom" WHERE pkid=NEW.ROWID; INSERT INTO "idx_parcels_geom"(pkid,xmin,xmax,ymin,ymax) SELECT NEW.ROWID, MbrMinX(NEW."geom"), MbrMaxX(NEW."geom"), MbrMinY(NEW."geom"), MbrMaxY(NEW."geom") WHERE MbrMinX(NEW."geom") IS NOT NULL; END;
CREATE TRIGGER "gid_parcels_geom" AFTER DELETE ON "parcels" FOR EACH ROW BEGIN DELETE FROM "idx_parcels_geom" WHERE pkid=OLD.ROWID; END;
CREATE TRIGGER "tmi_parcels_geom" AFTER INSERT ON "parcels" FOR EACH ROW BEGIN UPDATE geometry_columns_time SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE f_table_name = 'parcels' AND f_geometry_column = 'geom'; END;
CREATE TRIGGER "tmu_parcels_geom" AFTER UPDATE ON "parcels" FOR EACH ROW BEGIN UPDATE geometry_columns_time SET last_update = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE f_table_name = 'parcels' AND f_geometry_column = 'geom'; END;
CREATE TRIGGER "tmd_parcels_geom" AFTER DELETE ON "parcels" FOR EACH ROW BEGIN UPDATE geometry_columns_time SET last_delete = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE f_table_name = 'parcels' AND f_geometry_column = 'geom'; END;
`;
